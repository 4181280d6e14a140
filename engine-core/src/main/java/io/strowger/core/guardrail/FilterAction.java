package io.strowger.core.guardrail;

import java.util.Locale;

/** What becomes of a request in which something was found; the strongest first. */
enum FilterAction {
  /** It is refused. */
  BLOCK,
  /** What was found is replaced by a label. */
  REDACT,
  /** Nothing but a note in the trace. */
  FLAG;

  String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  static FilterAction of(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}
