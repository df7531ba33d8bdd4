"""ODX documents for tests, made of short words: a control unit with services of every kind."""

import io
import zipfile
from collections.abc import Mapping

_XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
_FIXED = 'xsi:type="STANDARD-LENGTH-TYPE"><BIT-LENGTH>'


def coded(bits: int, base: str = "A_UINT32", more: str = "") -> str:
    return f'<DIAG-CODED-TYPE BASE-DATA-TYPE="{base}" {more} {_FIXED}{bits}</BIT-LENGTH></DIAG-CODED-TYPE>'


def linear(offset: float, factor: float) -> str:
    coefficients = f"<COMPU-NUMERATOR><V>{offset}</V><V>{factor}</V></COMPU-NUMERATOR>"
    coefficients += "<COMPU-DENOMINATOR><V>1</V></COMPU-DENOMINATOR>"
    scale = f"<COMPU-SCALE><COMPU-RATIONAL-COEFFS>{coefficients}</COMPU-RATIONAL-COEFFS></COMPU-SCALE>"
    return _scales("LINEAR", scale)


def texts(**states: int) -> str:
    scales = "".join(
        f"<COMPU-SCALE><LOWER-LIMIT>{raw}</LOWER-LIMIT><UPPER-LIMIT>{raw}</UPPER-LIMIT>"
        f"<COMPU-CONST><VT>{text}</VT></COMPU-CONST></COMPU-SCALE>"
        for text, raw in states.items()
    )
    return _scales("TEXTTABLE", scales)


def _scales(category: str, scales: str) -> str:
    inside = f"<COMPU-INTERNAL-TO-PHYS><COMPU-SCALES>{scales}</COMPU-SCALES></COMPU-INTERNAL-TO-PHYS>"
    return f"<COMPU-METHOD><CATEGORY>{category}</CATEGORY>{inside}</COMPU-METHOD>"


IDENTICAL = "<COMPU-METHOD><CATEGORY>IDENTICAL</CATEGORY></COMPU-METHOD>"


def dop(name: str, coded_type: str, method: str = IDENTICAL, physical: str = "A_UINT32") -> str:
    return (
        f'<DATA-OBJECT-PROP ID="{name}"><SHORT-NAME>{name}</SHORT-NAME>{method}{coded_type}'
        f'<PHYSICAL-TYPE BASE-DATA-TYPE="{physical}"/></DATA-OBJECT-PROP>'
    )


def const(at: int, value: int, bits: int = 8, name: str = "c") -> str:
    return _param("CODED-CONST", f"{name}{at}", at, f"<CODED-VALUE>{value}</CODED-VALUE>{coded(bits)}")


def value(name: str, at: int | None, of: str, *, bit: int = 0, default: str = "") -> str:
    text = f"<PHYSICAL-DEFAULT-VALUE>{default}</PHYSICAL-DEFAULT-VALUE>" if default else ""
    return _param("VALUE", name, at, f'{text}<DOP-REF ID-REF="{of}"/>', bit)


def echo(name: str, at: int, source: int, length: int) -> str:
    inside = f"<REQUEST-BYTE-POS>{source}</REQUEST-BYTE-POS><BYTE-LENGTH>{length}</BYTE-LENGTH>"
    return _param("MATCHING-REQUEST-PARAM", name, at, inside)


def _param(kind: str, name: str, at: int | None, inside: str, bit: int = 0) -> str:
    place = "" if at is None else f"<BYTE-POSITION>{at}</BYTE-POSITION>"
    place += f"<BIT-POSITION>{bit}</BIT-POSITION>" if bit else ""
    return f'<PARAM xsi:type="{kind}"><SHORT-NAME>{name}</SHORT-NAME>{place}{inside}</PARAM>'


def _message(kind: str, letter: str, service: str, parameters: str) -> str:
    name = f"<SHORT-NAME>{letter}_{service}</SHORT-NAME>"
    return f'<{kind} ID="{letter}.{service}">{name}<PARAMS>{parameters}</PARAMS></{kind}>'


def document(services: Mapping[str, tuple[str, str]], dictionary: str, more: str = "", name: str = "unit") -> str:
    """Return a document with one base variant; `services`: parameters of request and response by name."""
    comms, requests, responses = "", "", ""
    for service, (request, response) in services.items():
        comms += (
            f'<DIAG-SERVICE ID="S.{service}"><SHORT-NAME>{service}</SHORT-NAME><REQUEST-REF ID-REF="Q.{service}"/>'
            f'<POS-RESPONSE-REFS><POS-RESPONSE-REF ID-REF="P.{service}"/></POS-RESPONSE-REFS></DIAG-SERVICE>'
        )
        requests += _message("REQUEST", "Q", service, request)
        responses += _message("POS-RESPONSE", "P", service, response)
    layer = (
        f'<BASE-VARIANT ID="{name}"><SHORT-NAME>{name}</SHORT-NAME>'
        f"<DIAG-DATA-DICTIONARY-SPEC>{dictionary}</DIAG-DATA-DICTIONARY-SPEC><DIAG-COMMS>{comms}{more}</DIAG-COMMS>"
        f"<REQUESTS>{requests}</REQUESTS><POS-RESPONSES>{responses}</POS-RESPONSES></BASE-VARIANT>"
    )
    return (
        f'<ODX MODEL-VERSION="2.2.0" {_XSI}><DIAG-LAYER-CONTAINER ID="box"><SHORT-NAME>box</SHORT-NAME>'
        f"<BASE-VARIANTS>{layer}</BASE-VARIANTS></DIAG-LAYER-CONTAINER></ODX>"
    )


def package(files: Mapping[str, str | bytes]) -> bytes:
    """Return a PDX package."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


DOPS = "".join(
    [
        "<DTC-DOPS><DTC-DOP ID='dtc'><SHORT-NAME>dtc</SHORT-NAME>",
        coded(24),
        "<PHYSICAL-TYPE BASE-DATA-TYPE='A_UINT32'/>",
        IDENTICAL,
        "<DTCS>",
        *(
            f"<DTC ID='d{code}'><SHORT-NAME>d{code}</SHORT-NAME><TROUBLE-CODE>{code}</TROUBLE-CODE>"
            f"<TEXT>fault {code:06X}</TEXT></DTC>"
            for code in (0x030100, 0x410014, 0xC10087)
        ),
        "</DTCS></DTC-DOP></DTC-DOPS><DATA-OBJECT-PROPS>",
        dop("byte", coded(8)),
        dop("word", coded(16)),
        dop("temperature", coded(8), linear(-40, 1), "A_FLOAT64"),
        dop("speed", coded(16), linear(0, 0.25), "A_FLOAT64"),
        dop("torque", coded(16, "A_INT32", 'IS-HIGHLOW-BYTE-ORDER="false"'), linear(0, 0.5), "A_FLOAT64"),
        dop("gear", coded(3), texts(neutral=1, first=2, second=3), "A_UNICODE2STRING"),
        dop("flag", coded(1)),
        dop("ratio", coded(32, "A_FLOAT32"), IDENTICAL, "A_FLOAT32"),
        dop("part", coded(80, "A_ASCIISTRING"), IDENTICAL, "A_UNICODE2STRING"),
        dop("digits", coded(16, "A_UINT32", 'BASE-TYPE-ENCODING="BCD-P"')),
        "</DATA-OBJECT-PROPS>",
    ]
)


def head(*content: int) -> str:
    return "".join(const(at, one) for at, one in enumerate(content))


SERVICES = {
    "read_engine": (
        head(0x22, 0x01, 0x00),
        head(0x62, 0x01, 0x00)
        + value("temperature", 3, "temperature")
        + value("speed", 4, "speed", default="812.5")
        + value("torque", 6, "torque")
        + value("gear", 8, "gear", bit=3)
        + value("flag", 8, "flag", bit=0)
        + value("ratio", 9, "ratio"),
    ),
    "read_part": (head(0x22, 0xF1, 0x87), head(0x62, 0xF1, 0x87) + value("part", 3, "part", default="1K0907115A")),
    "write_part": (head(0x2E, 0xF1, 0x87) + value("part", 3, "part"), head(0x6E, 0xF1, 0x87)),
    "session_default": (head(0x10, 0x01), head(0x50, 0x01) + value("p2", 2, "word") + value("p2s", 4, "word")),
    "session_extended": (head(0x10, 0x03), head(0x50, 0x03) + value("p2", 2, "word") + value("p2s", 4, "word")),
    "session_maker": (head(0x10, 0x60), head(0x50, 0x60) + value("p2", 2, "word") + value("p2s", 4, "word")),
    "tester_present": (head(0x3E, 0x00), head(0x7E, 0x00)),
    "codes_by_mask": (head(0x19, 0x02) + value("mask", 2, "byte"), head(0x59, 0x02) + value("known", 2, "byte")),
    "start_test": (
        head(0x31, 0x01, 0x02, 0x03) + value("option", 4, "byte"),
        head(0x71, 0x01, 0x02, 0x03) + value("state", 4, "byte"),
    ),
    "test_results": (head(0x31, 0x03, 0x02, 0x03), head(0x71, 0x03, 0x02, 0x03) + value("state", 4, "word")),
    "local_block": (head(0x21, 0x05), head(0x61, 0x05) + value("level", 2, "byte")),
    "any_channel": (
        head(0xA1) + value("channel", 1, "byte"),
        head(0xE1) + echo("channel", 1, 1, 1) + value("level", 2, "word"),
    ),
    "seed": (head(0x27, 0x01), head(0x67, 0x01) + value("seed", 2, "word")),
    "bcd": (head(0x22, 0x02, 0x00), head(0x62, 0x02, 0x00) + value("day", 3, "digits")),
    "overlap": (head(0x22, 0x02, 0x01), head(0x62, 0x02, 0x01) + value("one", 3, "word") + value("two", 4, "byte")),
}
JOB = (
    '<SINGLE-ECU-JOB ID="J"><SHORT-NAME>routine_of_the_tester</SHORT-NAME><PROG-CODES><PROG-CODE>'
    "<CODE-FILE>job.jar</CODE-FILE><SYNTAX>JAR</SYNTAX><REVISION>1</REVISION></PROG-CODE></PROG-CODES></SINGLE-ECU-JOB>"
)
DOCUMENT = document(SERVICES, DOPS, JOB)
BENCH = """
name: odx
vehicle: compact
buses: {{body: {{interface: embedded}}}}
diagnostics:
  units:
    door: {{odx: {odx}, bus: body, addresses: [{{request: 0x74A, answer: 0x7B4}}]{keys}}}
"""
