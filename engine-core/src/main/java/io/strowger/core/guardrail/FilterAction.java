package io.strowger.core.guardrail;

import java.util.Collection;
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

  /** Returns what was done with a text in which these rules match, such as "blocked: email". */
  String summary(Collection<String> names) {
    String verb =
        switch (this) {
          case BLOCK -> "blocked";
          case REDACT -> "redacted";
          case FLAG -> "flagged";
        };
    return verb + ": " + String.join(", ", names);
  }

  static FilterAction of(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}
