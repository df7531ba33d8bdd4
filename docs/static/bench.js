// Starts the bench of a page in a frame when it is asked to, in the theme that the site has.

const CHOICE = "hilbridge.theme"; // of the cockpit, which follows the system where there is none

for (const place of document.querySelectorAll(".bench-here")) {
  const button = place.querySelector("button");
  button.hidden = false;
  button.onclick = () => {
    const frame = document.createElement("iframe");
    frame.title = "A bench in this page";
    frame.allow = "fullscreen; gamepad";
    frame.src = place.dataset.bench;
    const paint = () => {
      const { theme } = document.body.dataset; // light, dark or auto
      if (theme !== "light" && theme !== "dark") return;
      localStorage.setItem(CHOICE, theme);
      if (frame.contentDocument?.documentElement) frame.contentDocument.documentElement.dataset.theme = theme;
    };
    paint();
    new MutationObserver(paint).observe(document.body, { attributeFilter: ["data-theme"] });
    frame.onload = () => frame.focus(); // keys drive it
    place.append(frame);
    button.remove();
  };
}
