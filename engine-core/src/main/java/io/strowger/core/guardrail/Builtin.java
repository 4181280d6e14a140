package io.strowger.core.guardrail;

import java.util.List;
import java.util.Locale;

/** The filters every account may switch on. Resources fact sheet, section 4. */
enum Builtin {
  EMAIL(new EmailDetector()),
  PHONE(new PhoneDetector()),
  SSN(new SsnDetector()),
  CREDIT_CARD(new CardDetector()),
  IP_ADDRESS(new IpDetector()),
  PERSON_NAME(new WordedDetector(WordedDetector.NAMES)),
  ADDRESS(new WordedDetector(WordedDetector.ADDRESSES)),
  REGEX_PROMPT_INJECTION(new Injection.Any());

  private final Detector detector;

  Builtin(Detector detector) {
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
  static Builtin of(String slug) {
    for (Builtin builtin : values()) {
      if (builtin.slug().equals(slug)) {
        return builtin;
      }
    }
    throw new IllegalArgumentException(
        "must be one of "
            + List.of(values()).stream().map(Builtin::slug).toList()
            + ", was "
            + slug);
  }
}
