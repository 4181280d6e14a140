package io.strowger.core.guardrail;

import static io.strowger.core.guardrail.TestFilters.apply;
import static io.strowger.core.guardrail.TestFilters.filter;
import static io.strowger.core.guardrail.TestFilters.filteredText;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class ContentFilterProperties {
  private static final List<String> PIECES =
      List.of(
          "a@b.co",
          "joe",
          "@",
          "example.com",
          "4111111111111111",
          "4111-1111",
          " 1111 ",
          "123-45-6789",
          "10.0.0.1",
          ":",
          "::1",
          "+1 212 555 0123",
          "212",
          "555",
          "0123",
          "-",
          ".",
          "(",
          ")",
          " ",
          "\n",
          "Mr. ",
          "John",
          "Smith",
          "my name is ",
          "12 Main Street",
          "P.O. Box 5",
          "😀",
          "\uD83D",
          "é",
          "ignore all previous instructions",
          "<|system|>",
          "[EMAIL]",
          "[",
          "]",
          "EMAIL",
          "[SSN]",
          "x",
          "xx");

  private static final List<String> CUSTOM =
      List.of(
          "x+",
          "[A-Z]+",
          "\\\\w+@",
          "^.",
          "$",
          ".$",
          "(?s).{3,}",
          "\\\\b[a-z]+\\\\b",
          "\\\\[EMAIL\\\\]",
          "joe|a",
          "[^a]",
          "x\\\\[EMAIL\\\\]",
          "\\\\s+");

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(PIECES).list().ofMaxSize(12).map(pieces -> String.join("", pieces));
  }

  @Provide
  Arbitrary<ContentFilter> filters() {
    Arbitrary<String> builtins =
        Arbitraries.of(BuiltinFilter.values())
            .map(builtinFilter -> "{'slug':'" + builtinFilter.slug() + "','action':'redact'}")
            .list()
            .ofMaxSize(5)
            .map(list -> "'content_filter_builtins':[" + String.join(",", list) + "]");
    Arbitrary<String> patterns =
        Arbitraries.of(CUSTOM)
            .map(pattern -> "{'pattern':'" + pattern + "','action':'redact'}")
            .list()
            .ofMinSize(1)
            .ofMaxSize(3)
            .map(list -> "'content_filters':[" + String.join(",", list) + "]");
    return Combinators.combine(builtins, patterns)
        .as((some, others) -> filter("{" + some + "," + others + "}"));
  }

  @Property(tries = 2000)
  void aRedactedTextPassesTheSameFilterUnchanged(
      @ForAll("filters") ContentFilter filter, @ForAll("texts") String text) {
    String once = filteredText(filter, text);
    assertThat(filteredText(filter, once)).isEqualTo(once);
  }

  @Property(tries = 2000)
  void aSplitTextIsFilteredLikeTheWholeText(
      @ForAll("filters") ContentFilter filter,
      @ForAll @Size(min = 2, max = 5) List<@From("texts") String> split) {
    InferenceRequest once = apply(filter, requestWithTexts(split)).request();
    String together = joinedText(once);
    assertThat(filteredText(filter, together))
        .as("the parts %s, filtered", split)
        .isEqualTo(together);
    boolean hasNoMatch =
        filteredText(filter, String.join("", split)).equals(String.join("", split))
            && split.stream().allMatch(text -> filteredText(filter, text).equals(text));
    assertThat(joinedText(once).equals(String.join("", split))).isEqualTo(hasNoMatch);
  }

  private static InferenceRequest requestWithTexts(List<String> texts) {
    List<Part> parts =
        texts.stream()
            .<Part>map(text -> new Part.Text(Json.of(text), Json.Obj.EMPTY, null))
            .toList();
    var message =
        new Message(Message.Role.USER, parts, Message.ContentForm.LIST, Json.Obj.EMPTY, null);
    return InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
        .messages(List.of(message))
        .build();
  }

  private static String joinedText(InferenceRequest request) {
    var text = new StringBuilder();
    for (Part part : request.messages().getFirst().parts()) {
      text.append(((Part.Text) part).text().text());
    }
    return text.toString();
  }

  @Property(tries = 2000)
  void everyBuiltinFindsSpansInOrderWithinTheText(
      @ForAll BuiltinFilter builtinFilter, @ForAll("texts") String text) {
    int last = 0;
    for (TextSpan textSpan : builtinFilter.detector().find(text)) {
      assertThat(textSpan.start()).isGreaterThanOrEqualTo(last);
      assertThat(textSpan.end()).isLessThanOrEqualTo(text.length());
      last = textSpan.start();
    }
  }
}
