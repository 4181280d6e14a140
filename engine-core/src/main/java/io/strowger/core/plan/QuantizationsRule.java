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
final class QuantizationsRule implements Rule {
  @Override
  public String name() {
    return "provider.quantizations";
  }

  @Override
  public Test compile(Scope scope) {
    List<String> names = scope.query().preferences().quantizations();
    if (names.isEmpty()) {
      return Test.KEEPS_ALL;
    }
    int wanted = 0;
    for (int i = 0; i < names.size(); i++) {
      wanted |= Quantization.ofWireName(names.get(i)).map(Quantization::family).orElse(0);
    }
    return scope.index().traits().quantizedOtherThan(wanted);
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    return "is "
        + endpoint.quantization()
        + ", permits "
        + Names.shown(scope.query().preferences().quantizations());
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
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
