package io.strowger.core.guardrail;

import static io.strowger.core.guardrail.TestFilters.requestWithText;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Cancellation;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Filtering a text of megabytes")
class LargeTextTest {
  private static final int MEGABYTE = 1 << 20;

  private static ContentFilter pattern(String pattern, String action) {
    Json.Obj filter = Json.object().put("pattern", pattern).put("action", action).build();
    Json.Obj guardrail = Json.object().put("content_filters", Json.array(filter)).build();
    return Objects.requireNonNull(ContentFilter.of(List.of(guardrail)));
  }

  private static ContentFilter builtin(String slug, String action) {
    Json.Obj filter = Json.object().put("slug", slug).put("action", action).build();
    Json.Obj guardrail = Json.object().put("content_filter_builtins", Json.array(filter)).build();
    return Objects.requireNonNull(ContentFilter.of(List.of(guardrail)));
  }

  @ParameterizedTest(name = "{0} in a text that repeats {1}")
  @DisplayName("stops when the request was cancelled, whatever the filter")
  @CsvSource({
    "email,a@b.cd ,",
    "phone,+4930123456 ,",
    "ssn,123-45-6789 ,",
    "credit-card,4 4 ,",
    "ip-address,a1 ,",
    "ip-address,1.1.1.1 ,",
    "person-name,Mr Smith ,",
    "address,12 Main Street ,",
    "regex-prompt-injection,ignore ,",
    "z,a,pattern",
    "a.*z|a,a,pattern",
  })
  void cancelled(String filterName, String repeated, String kind) {
    ContentFilter filter = kind == null ? builtin(filterName, "flag") : pattern(filterName, "flag");
    var cancellation = new Cancellation();
    cancellation.cancel(Cancellation.Cause.TOTAL);
    String text = repeated.repeat(MEGABYTE / repeated.length());
    assertThat(filter.apply(requestWithText(text), cancellation)).isNull();
  }

  @Test
  @DisplayName("finds a bounded number of matches, of which the last covers the rest of the text")
  void boundedMatches() {
    String text = "a".repeat(4 * MEGABYTE);
    assertThat(FilterPattern.of("a").find(text)).hasSize(TextMatches.MAX_MATCHES);
    String filtered = TestFilters.filteredText(pattern("a", "redact"), text);
    assertThat(filtered).isEqualTo("[REDACTED]".repeat(TextMatches.MAX_MATCHES));
    String mails = "ab@cd.ef ".repeat(200_000) + "the end";
    assertThat(BuiltinFilter.EMAIL.detector().find(mails))
        .hasSize(TextMatches.MAX_MATCHES)
        .last()
        .isEqualTo(new TextSpan((TextMatches.MAX_MATCHES - 1) * 9, mails.length()));
  }

  @Test
  @DisplayName("changes a hundred thousand items and names without a copy for each change")
  void manyMembers() {
    Json.Obj.Builder arguments = Json.object();
    for (int i = 0; i < 50_000; i++) {
      arguments.put("a" + i + "@b.cd", i);
    }
    for (int i = 1; i <= 50_000; i++) {
      arguments.put("[EMAIL] " + i, "x");
    }
    List<Json> list = Collections.nCopies(100_000, Json.of("a@b.cd"));
    Json.Obj given = arguments.put("list", Json.array(list)).build();
    var call = new Part.ToolCall("c", "f", new Arguments.Value(given), Json.Obj.EMPTY, null);
    var message =
        new Message(
            Message.Role.ASSISTANT, List.of(call), Message.ContentForm.NULL, Json.Obj.EMPTY, null);
    InferenceRequest request =
        InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY).messages(List.of(message)).build();
    InferenceRequest result =
        request.editTexts(
            new ContentEditor(
                new TextFilter(
                    List.of(FilterRule.of(BuiltinFilter.EMAIL, FilterAction.REDACT, false))),
                new Findings(),
                new CooperativeScan()));
    var changed = (Part.ToolCall) result.messages().getFirst().parts().getFirst();
    var filtered = (Json.Obj) ((Arguments.Value) changed.arguments()).value();
    assertThat(filtered.size()).isEqualTo(100_001);
    assertThat(filtered.has("[EMAIL] 50001")).isTrue();
    assertThat(Objects.requireNonNull(filtered.list("list")).get(99_999))
        .isEqualTo(Json.of("[EMAIL]"));
  }
}
