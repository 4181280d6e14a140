package io.strowger.core.guardrail;

import java.util.List;
import java.util.Locale;

/** The built-in content filters that any account may enable. Resources fact sheet, section 4. */
enum BuiltinFilter {
  EMAIL(new EmailDetector()),
  PHONE(new PhoneDetector()),
  SSN(new SsnDetector()),
  CREDIT_CARD(new CardDetector()),
  IP_ADDRESS(new IpDetector()),
  PERSON_NAME(new ContextWordDetector(ContextWordDetector.NAMES)),
  ADDRESS(new ContextWordDetector(ContextWordDetector.ADDRESSES)),
  REGEX_PROMPT_INJECTION(new InjectionPattern.AnyPattern());

  @SuppressWarnings("ImmutableEnumChecker") // a detector keeps nothing of the texts it scans
  private final Detector detector;

  BuiltinFilter(Detector detector) {
    this.detector = detector;
  }

  /** Returns the name of the filter in a guardrail. */
  String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the label that replaces a match. */
  String label() {
    return this == REGEX_PROMPT_INJECTION ? "[PROMPT_INJECTION]" : "[" + name() + "]";
  }

  Detector detector() {
    return detector;
  }

  /**
   * @throws IllegalArgumentException when no filter has this name
   */
  static BuiltinFilter of(String slug) {
    for (BuiltinFilter filter : values()) {
      if (filter.slug().equals(slug)) {
        return filter;
      }
    }
    throw new IllegalArgumentException(
        "must be one of "
            + List.of(values()).stream().map(BuiltinFilter::slug).toList()
            + ", was "
            + slug);
  }
}
