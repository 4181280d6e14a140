package io.strowger.core.guardrail;

import java.util.Locale;

/** The action for a request or answer in which a filter matches; the strongest first. */
enum FilterAction {
  /** Refuses the request or ends the answer in a failure. */
  BLOCK,
  /** Replaces each match by a label. */
  REDACT,
  /** Only records the match in the trace. */
  FLAG;

  String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  static FilterAction of(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}
