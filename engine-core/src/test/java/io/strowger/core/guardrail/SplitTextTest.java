package io.strowger.core.guardrail;

import static io.strowger.core.guardrail.TestFilters.apply;
import static io.strowger.core.guardrail.TestFilters.builtin;
import static io.strowger.core.guardrail.TestFilters.chat;
import static io.strowger.core.guardrail.TestFilters.decode;
import static io.strowger.core.guardrail.TestFilters.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A match that is split over adjacent texts")
class SplitTextTest {
  private static final String IMAGE =
      "{'type':'image_url','image_url':{'url':'https://example.test/p.png'}}";

  private static String text(String text) {
    return "{'type':'text','text':'" + text + "'}";
  }

  private static InferenceRequest user(String... parts) {
    return chat("{'role':'user','content':[" + String.join(",", parts) + "]}");
  }

  private static List<String> texts(InferenceRequest request) {
    var texts = new ArrayList<String>();
    for (Part part : request.messages().getFirst().parts()) {
      texts.add(part instanceof Part.Text textPart ? textPart.text().text() : "-");
    }
    return texts;
  }

  @Test
  @DisplayName("is found, and replaced in each text")
  void redacted() {
    ContentFilter cards = builtin("redact", "credit-card", "email");
    InferenceRequest split =
        user(text("pay with 4111 1111"), text(" 1111"), text(" 1111 and tell a@b.co"), text("ok"));
    ContentFilter.Filtered result = apply(cards, split);
    assertThat(texts(result.request()))
        .containsExactly(
            "pay with [CREDIT_CARD]", "[CREDIT_CARD]", "[CREDIT_CARD] and tell [EMAIL]", "ok");
    assertThat(result.request().messages().getFirst().parts().get(3))
        .as("an unchanged part")
        .isSameAs(split.messages().getFirst().parts().get(3));
    assertThat(apply(cards, result.request()).request()).isSameAs(result.request());
  }

  @Test
  @DisplayName("blocks the request, or is reported if it is only flagged")
  void blocked() {
    ContentFilter.Filtered result =
        apply(pattern("project zebra", "block"), user(text("the project "), text("zebra files")));
    assertThat(Objects.requireNonNull(result.refusal()).code())
        .isEqualTo(ErrorCode.PERMISSION_DENIED);
    assertThat(apply(pattern("zebra files", "flag"), user(text("ze"), text("bra files"))).stages())
        .hasSize(1);
  }

  @Test
  @DisplayName("is not found if something else is between the texts")
  void apart() {
    InferenceRequest request = user(text("project "), IMAGE, text("zebra"));
    assertThat(apply(pattern("project zebra", "redact"), request).request()).isSameAs(request);
  }

  @Test
  @DisplayName("is found before and after an image, which stays")
  void beside() {
    InferenceRequest request = user(text("ze"), text("bra"), IMAGE, text("zeb"), text("ra"));
    InferenceRequest result = apply(pattern("zebra", "redact"), request).request();
    assertThat(texts(result))
        .containsExactly("[REDACTED]", "[REDACTED]", "-", "[REDACTED]", "[REDACTED]");
    assertThat(result.messages().getFirst().parts().get(2))
        .isSameAs(request.messages().getFirst().parts().get(2));
  }

  @Test
  @DisplayName("is also found in instructions and results of tools")
  void elsewhere() {
    InferenceRequest request =
        decode(
            Dialect.MESSAGES,
            ("{'model':'a/b','max_tokens':9,'system':[%1$s,%2$s],'messages':["
                    + "{'role':'user','content':'hi'},"
                    + "{'role':'assistant','content':[{'type':'tool_use','id':'t1','name':'f',"
                    + "'input':{}}]},"
                    + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'t1',"
                    + "'content':[%1$s,%2$s]}]}]}")
                .formatted(text("ze"), text("bra")));
    InferenceRequest result = apply(pattern("zebra", "redact"), request).request();
    assertThat(Objects.requireNonNull(result.instructions()).parts())
        .extracting(part -> ((Part.Text) part).text().text())
        .containsExactly("[REDACTED]", "[REDACTED]");
    assertThat(result.messages().getLast().parts().toString()).doesNotContain("ze", "bra");
  }

  @Test
  @DisplayName("becomes one text if redaction does not come to an end")
  void endless() {
    String manyTexts = Stream.generate(() -> text("x")).limit(20).collect(Collectors.joining(","));
    ContentFilter filter =
        TestFilters.filter(
            "{'content_filters':[{'pattern':'secret','action':'redact'},"
                + "{'pattern':'x\\\\[REDACTED\\\\]','action':'redact'}]}");
    assertThat(texts(apply(filter, user(manyTexts, text("sec"), text("ret"))).request()))
        .containsExactly("[REDACTED]");
  }
}
