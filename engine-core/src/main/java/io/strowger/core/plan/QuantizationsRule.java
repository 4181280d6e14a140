package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Quantization;
import io.strowger.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;

/**
 * Drops endpoints of another quantization than the caller lists; {@code fp4} and {@code fp8} stand
 * for their families.
 */
final class QuantizationsRule implements EndpointRule {
  @Override
  public String name() {
    return "provider.quantizations";
  }

  @Override
  public Test compile(RuleContext context) {
    List<String> names = context.query().preferences().quantizations();
    if (names.isEmpty()) {
      return Test.KEEPS_ALL;
    }
    int wanted = 0;
    for (int i = 0; i < names.size(); i++) {
      wanted |= Quantization.ofWireName(names.get(i)).map(Quantization::family).orElse(0);
    }
    return context.index().traits().quantizedOtherThan(wanted);
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "is "
        + endpoint.quantization()
        + ", permits "
        + NameFormatter.shown(context.query().preferences().quantizations());
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }

  @Override
  public Optional<String> excludedBy() {
    return Optional.of("quantization");
  }

  @Override
  public Subject subject() {
    return Subject.PREFERENCES;
  }
}
