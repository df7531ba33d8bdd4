// A pedal box: three potentiometers and a key switch, as lines for hilbridge, fifty times a second:
//
//   throttle=512 brake=0 clutch=0 key=0
//
// Pedals are what the converter reads, 0 to 1023. The key is -1 off, 0 on, 1 start.

const int THROTTLE = A0;
const int BRAKE = A1;
const int CLUTCH = A2;
const int IGNITION = 2;  // switches to ground
const int STARTER = 3;

const unsigned long PERIOD = 20;  // ms

unsigned long due = 0;

void setup() {
  Serial.begin(115200);
  pinMode(IGNITION, INPUT_PULLUP);
  pinMode(STARTER, INPUT_PULLUP);
}

void field(const char *name, int value) {
  Serial.print(name);
  Serial.print(value);
}

int key() {
  if (digitalRead(IGNITION) == HIGH) return -1;
  return digitalRead(STARTER) == LOW ? 1 : 0;
}

void loop() {
  if ((long)(millis() - due) < 0) return;
  due += PERIOD;
  field("throttle=", analogRead(THROTTLE));
  field(" brake=", analogRead(BRAKE));
  field(" clutch=", analogRead(CLUTCH));
  field(" key=", key());
  Serial.println();
}
