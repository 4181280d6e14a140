package io.strowger.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.benchmarks.KeyBenchmark;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

@DisplayName("The report")
class ReportBenchTest {
  static List<JmhFigures.JmhSelection> selections() {
    return ReportBench.SELECTIONS;
  }

  @ParameterizedTest
  @MethodSource("selections")
  @DisplayName("measures benchmarks that exist, with values that their parameters allow")
  void existing(JmhFigures.JmhSelection selection) throws ClassNotFoundException {
    Class<?> benchmark =
        Class.forName(KeyBenchmark.class.getPackageName() + "." + selection.benchmark());
    assertThat(benchmark.getDeclaredMethods())
        .filteredOn(method -> method.isAnnotationPresent(Benchmark.class))
        .extracting(Method::getName)
        .containsAll(selection.methods());
    List<Field> parameters = parameters(benchmark);
    assertThat(parameters).extracting(Field::getName).containsExactly(selection.parameter());
    assertThat(Objects.requireNonNull(parameters.getFirst().getAnnotation(Param.class)).value())
        .containsAll(selection.values());
  }

  /** Returns the parameters of a benchmark and of its states. */
  private static List<Field> parameters(Class<?> benchmark) {
    var fields = new ArrayList<Field>();
    Stream.concat(Stream.of(benchmark), Stream.of(benchmark.getDeclaredClasses()))
        .flatMap(type -> Stream.of(type.getDeclaredFields()))
        .filter(field -> field.isAnnotationPresent(Param.class))
        .forEach(fields::add);
    return fields;
  }
}
