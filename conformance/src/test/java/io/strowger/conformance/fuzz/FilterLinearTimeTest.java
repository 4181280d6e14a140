package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.guardrail.ContentFilter;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Measures content filters, as {@link LinearTimeTest} does, on texts that are hard for them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@DisplayName("The cost of filtering a text grows at most linearly with its length")
class FilterLinearTimeTest {
  private static final JacksonCodec CODEC = new JacksonCodec();

  /** A filter, and a piece of text to be repeated that is hard for it. */
  record HardText(String filters, String piece) {}

  private static String builtin(String slug) {
    return "'content_filter_builtins':[{'slug':'" + slug + "','action':'redact'}]";
  }

  private static String pattern(String pattern) {
    return "'content_filters':[{'pattern':'" + pattern + "','action':'redact'}]";
  }

  static Stream<HardText> texts() {
    return Stream.of(
        new HardText(builtin("email"), "a.b@"),
        new HardText(builtin("email"), "a@b.co"),
        new HardText(builtin("phone"), "+1 ("),
        new HardText(builtin("phone"), "212-555-"),
        new HardText(builtin("ssn"), "123-45-678"),
        new HardText(builtin("credit-card"), "4111 "),
        new HardText(builtin("credit-card"), "4111-1111-1111-1112 "),
        new HardText(builtin("ip-address"), "1.2."),
        new HardText(builtin("ip-address"), "a:1::"),
        new HardText(builtin("person-name"), "Mr. Aa "),
        new HardText(builtin("address"), "12 Aa Bb "),
        new HardText(builtin("regex-prompt-injection"), "ignore all of the "),
        new HardText(builtin("regex-prompt-injection"), "reveal your system "),
        new HardText(pattern("(?:a|aa)+b"), "a"),
        new HardText(pattern("a.*z|a"), "ab"),
        new HardText(pattern("a[^z]*z|ab"), "ab"),
        new HardText(pattern(".*x"), "y"),
        new HardText(pattern("^.{1,50}y|y$"), "xy"),
        new HardText(pattern("x\\\\[REDACTED\\\\]|s"), "xxxxxxs"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  @DisplayName("whatever the text and the matches in it:")
  void linear(HardText hardText) {
    ContentFilter filter = filter(hardText.filters);
    LinearEffort.assertLinear(
        hardText.toString(),
        length -> {
          String text = hardText.piece.repeat(length);
          return () -> assertThat(filtered(filter, text).refusal()).isNull();
        });
  }

  private static ContentFilter filter(String filters) {
    String guardrail = ("{" + filters + "}").replace('\'', '"');
    try {
      Json read = CODEC.parse(guardrail.getBytes(StandardCharsets.UTF_8));
      return Objects.requireNonNull(ContentFilter.of(List.of((Json.Obj) read)));
    } catch (MalformedJsonException malformed) {
      throw new IllegalArgumentException(guardrail, malformed);
    }
  }

  private static InferenceRequest request(String text) {
    return InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
        .messages(List.of(Message.text(Message.Role.USER, text)))
        .build();
  }

  private static ContentFilter.Filtered filtered(ContentFilter filter, String text) {
    return Objects.requireNonNull(filter.apply(request(text), new Cancellation()));
  }
}
