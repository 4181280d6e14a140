package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/**
 * Fuzzes the JSON reader with any bytes. It rejects them with a reason or returns a tree. A second
 * parser must read the same tree, and may accept a document that the reader rejects only where the
 * reader is meant to be stricter.
 */
@DisplayName("The JSON reader, given any bytes,")
class JsonFuzz {
  /** The reasons for which the reader rejects valid JSON, as the beginnings of its messages. */
  private static final List<String> STRICTER_REASONS =
      List.of(
          "must be UTF-8",
          "is nested deeper than",
          "has a number of more than",
          "has a member name of more than");

  private static final JsonMapper SECOND_PARSER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JacksonCodec codec = new JacksonCodec();

  @FuzzTest
  @DisplayName("rejects them with a reason or reads them correctly")
  void reads(byte[] document) {
    byte[] given = document.clone();
    Json tree = null;
    try {
      tree = codec.parse(given);
    } catch (MalformedJsonException refused) {
      assertReason(document, String.valueOf(refused.getMessage()));
    }
    if (tree != null) {
      assertThat(document).as("the document is not changed").isEqualTo(given);
      assertReadCorrectly(tree, document);
      assertChangesAreWritten(tree);
    }
    TightLimits.assertHeld(document, tree);
  }

  private static void assertReason(byte[] document, String reason) {
    assertThat(reason)
        .isNotEqualTo("null")
        .isNotBlank()
        .hasSizeLessThan(400)
        .doesNotContain("Exception");
    if (STRICTER_REASONS.stream().noneMatch(reason::startsWith)) {
      assertThat(parseAgain(document)).as("only the reader rejects it: %s", reason).isNull();
    }
  }

  private static @Nullable JsonNode parseAgain(byte[] document) {
    try {
      JsonNode read = SECOND_PARSER.readTree(document);
      return read.isMissingNode() ? null : read;
    } catch (IOException refused) {
      return null;
    }
  }

  private void assertReadCorrectly(Json tree, byte[] document) {
    String text = new String(document, StandardCharsets.UTF_8);
    assertThat(new String(tree.toBytes(), StandardCharsets.UTF_8)).isEqualTo(text.strip());
    assertThat(tree.writtenLength()).isEqualTo(tree.toBytes().length);
    assertSame(tree, Objects.requireNonNull(parseAgain(document), "rejected by the second parser"));
    Json detached = tree.detached();
    assertThat(detached).isEqualTo(tree).hasSameHashCodeAs(tree);
    assertThat(parsed(detached.toBytes())).isEqualTo(tree);
  }

  private static void assertSame(Json ours, JsonNode theirs) {
    switch (ours) {
      case Json.Obj object -> {
        assertThat(theirs.isObject()).isTrue();
        assertThat(theirs.size()).isEqualTo(object.size());
        for (int i = 0; i < object.size(); i++) {
          JsonNode value = theirs.get(object.name(i));
          assertThat(value).as("a member named %s", object.name(i)).isNotNull();
          assertSame(object.value(i), value);
        }
      }
      case Json.Arr items -> {
        assertThat(theirs.isArray()).isTrue();
        assertThat(theirs.size()).isEqualTo(items.size());
        for (int i = 0; i < items.size(); i++) {
          assertSame(items.get(i), theirs.get(i));
        }
      }
      case Json.Str str -> assertThat(theirs.textValue()).isEqualTo(str.text());
      case Json.Num num -> assertSameNumber(num, theirs);
      case Json.Bool bool ->
          assertThat(theirs.isBoolean() && theirs.booleanValue() == bool.value()).isTrue();
      case Json.Null n -> assertThat(theirs.isNull()).isTrue();
    }
  }

  private static void assertSameNumber(Json.Num ours, JsonNode theirs) {
    assertThat(theirs.isNumber()).isTrue();
    if (theirs.isIntegralNumber()) {
      assertThat(ours.decimal().toBigIntegerExact()).isEqualTo(theirs.bigIntegerValue());
    } else {
      assertThat(Double.parseDouble(ours.spelling())).isEqualTo(theirs.doubleValue());
    }
    ours.asLong()
        .ifPresent(whole -> assertThat(ours.decimal()).isEqualByComparingTo(Long.toString(whole)));
  }

  private void assertChangesAreWritten(Json tree) {
    Json other = Json.of("\u0001\uD800\"\\é\uD83D\uDE00");
    if (tree instanceof Json.Obj object && object.size() > 0) {
      String first = object.name(0);
      assertThat(parsed(object.with(first, other).toBytes())).isEqualTo(object.with(first, other));
      assertThat(parsed(object.without(first).toBytes())).isEqualTo(object.without(first));
      Json.Obj more = object.with("", other).with("\u0001\"\uD83D\uDE00", object);
      assertThat(parsed(more.toBytes())).isEqualTo(more);
    } else if (tree instanceof Json.Arr items && !items.isEmpty()) {
      Json.Arr changed = items.with(items.size() - 1, other);
      assertThat(parsed(changed.toBytes())).isEqualTo(changed);
    }
  }

  private static Json parsed(byte[] document) {
    try {
      return new JacksonCodec(JsonLimits.DEFAULT.withDepth(100)).parse(document);
    } catch (MalformedJsonException unexpected) {
      throw new AssertionError("the written document cannot be read", unexpected);
    }
  }
}
