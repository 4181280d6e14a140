package io.strowger.core.guardrail;

import java.util.List;
import java.util.Locale;

/** The filters every account may switch on. Resources fact sheet, section 4. */
enum BuiltinFilter {
  EMAIL(new EmailDetector()),
  PHONE(new PhoneDetector()),
  SSN(new SsnDetector()),
  CREDIT_CARD(new CardDetector()),
  IP_ADDRESS(new IpDetector()),
  PERSON_NAME(new ContextWordDetector(ContextWordDetector.NAMES)),
  ADDRESS(new ContextWordDetector(ContextWordDetector.ADDRESSES)),
  REGEX_PROMPT_INJECTION(new InjectionPattern.Any());

  @SuppressWarnings("ImmutableEnumChecker") // a detector keeps nothing of what it saw
  private final Detector detector;

  BuiltinFilter(Detector detector) {
    this.detector = detector;
  }

  /** Its name in a guardrail. */
  String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What stands for what it took out. */
  String label() {
    return this == REGEX_PROMPT_INJECTION ? "[PROMPT_INJECTION]" : "[" + name() + "]";
  }

  Detector detector() {
    return detector;
  }

  /**
   * @throws IllegalArgumentException when there is none of this name
   */
  static BuiltinFilter of(String slug) {
    for (BuiltinFilter builtinFilter : values()) {
      if (builtinFilter.slug().equals(slug)) {
        return builtinFilter;
      }
    }
    throw new IllegalArgumentException(
        "must be one of "
            + List.of(values()).stream().map(BuiltinFilter::slug).toList()
            + ", was "
            + slug);
  }
}
