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

/** Content filters on texts made against them. Measured as in {@link LinearTimeTest}. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@DisplayName("What filtering a text costs grows with its length and no faster,")
class FilterLinearTimeTest {
  private static final JacksonCodec CODEC = new JacksonCodec();

  /** A filter, and a piece of text that is repeated. */
  record Against(String filters, String piece) {}

  private static String builtin(String slug) {
    return "'content_filter_builtins':[{'slug':'" + slug + "','action':'redact'}]";
  }

  private static String pattern(String pattern) {
    return "'content_filters':[{'pattern':'" + pattern + "','action':'redact'}]";
  }

  static Stream<Against> texts() {
    return Stream.of(
        new Against(builtin("email"), "a.b@"),
        new Against(builtin("email"), "a@b.co"),
        new Against(builtin("phone"), "+1 ("),
        new Against(builtin("phone"), "212-555-"),
        new Against(builtin("ssn"), "123-45-678"),
        new Against(builtin("credit-card"), "4111 "),
        new Against(builtin("credit-card"), "4111-1111-1111-1112 "),
        new Against(builtin("ip-address"), "1.2."),
        new Against(builtin("ip-address"), "a:1::"),
        new Against(builtin("person-name"), "Mr. Aa "),
        new Against(builtin("address"), "12 Aa Bb "),
        new Against(builtin("regex-prompt-injection"), "ignore all of the "),
        new Against(builtin("regex-prompt-injection"), "reveal your system "),
        new Against(pattern("(?:a|aa)+b"), "a"),
        new Against(pattern("a.*z|a"), "ab"),
        new Against(pattern("a[^z]*z|ab"), "ab"),
        new Against(pattern(".*x"), "y"),
        new Against(pattern("^.{1,50}y|y$"), "xy"),
        new Against(pattern("x\\\\[REDACTED\\\\]|s"), "xxxxxxs"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  @DisplayName("whatever the text and whatever is found in it")
  void linear(Against against) {
    ContentFilter filter = filter(against.filters);
    Doubling.isLinear(
        against.toString(),
        length -> {
          String text = against.piece.repeat(length);
          return () -> assertThat(looked(filter, text).refusal()).isNull();
        });
  }

  private static ContentFilter filter(String filters) {
    String guardrail = ("{" + filters + "}").replace('\'', '"');
    try {
      Json read = CODEC.parse(guardrail.getBytes(StandardCharsets.UTF_8));
      return Objects.requireNonNull(ContentFilter.of(List.of((Json.Obj) read)));
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(guardrail, wrong);
    }
  }

  private static InferenceRequest request(String text) {
    return InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
        .messages(List.of(Message.text(Message.Role.USER, text)))
        .build();
  }

  private static ContentFilter.Filtered looked(ContentFilter filter, String text) {
    return Objects.requireNonNull(filter.apply(request(text), new Cancellation()));
  }
}
