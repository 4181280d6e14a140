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
 * Any bytes to the reader of JSON. It refuses them in words or gives a tree; what it takes another
 * reader takes too and sees the same in, and what only it refuses it refuses for a stated reason.
 */
@DisplayName("The reader of JSON, given anything,")
class JsonFuzz {
  /** What it refuses although it is JSON, by the words it says so with. */
  private static final List<String> STRICTER =
      List.of(
          "must be UTF-8",
          "is nested deeper than",
          "has a number of more than",
          "has a member name of more than");

  private static final JsonMapper OTHER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JacksonCodec codec = new JacksonCodec();

  @FuzzTest
  @DisplayName("refuses it in words or tells truly what is in it")
  void reads(byte[] document) {
    byte[] given = document.clone();
    Json tree = null;
    try {
      tree = codec.parse(given);
    } catch (MalformedJsonException refused) {
      refusedForAReason(document, String.valueOf(refused.getMessage()));
    }
    if (tree != null) {
      assertThat(document).as("the document is only read").isEqualTo(given);
      tells(tree, document);
      survivesChange(tree);
    }
    TightLimits.hold(document, tree);
  }

  private static void refusedForAReason(byte[] document, String reason) {
    assertThat(reason)
        .isNotEqualTo("null")
        .isNotBlank()
        .hasSizeLessThan(400)
        .doesNotContain("Exception");
    if (STRICTER.stream().noneMatch(reason::startsWith)) {
      assertThat(other(document)).as("only we refuse it: %s", reason).isNull();
    }
  }

  private static @Nullable JsonNode other(byte[] document) {
    try {
      JsonNode read = OTHER.readTree(document);
      return read.isMissingNode() ? null : read;
    } catch (IOException refused) {
      return null;
    }
  }

  private void tells(Json tree, byte[] document) {
    String text = new String(document, StandardCharsets.UTF_8);
    assertThat(new String(tree.toBytes(), StandardCharsets.UTF_8)).isEqualTo(text.strip());
    assertThat(tree.writtenLength()).isEqualTo(tree.toBytes().length);
    same(tree, Objects.requireNonNull(other(document), "another reader does not take it"));
    Json detached = tree.detached();
    assertThat(detached).isEqualTo(tree).hasSameHashCodeAs(tree);
    assertThat(parsed(detached.toBytes())).isEqualTo(tree);
  }

  private static void same(Json ours, JsonNode theirs) {
    switch (ours) {
      case Json.Obj object -> {
        assertThat(theirs.isObject()).isTrue();
        assertThat(theirs.size()).isEqualTo(object.size());
        for (int i = 0; i < object.size(); i++) {
          JsonNode value = theirs.get(object.name(i));
          assertThat(value).as("a member named %s", object.name(i)).isNotNull();
          same(object.value(i), value);
        }
      }
      case Json.Arr items -> {
        assertThat(theirs.isArray()).isTrue();
        assertThat(theirs.size()).isEqualTo(items.size());
        for (int i = 0; i < items.size(); i++) {
          same(items.get(i), theirs.get(i));
        }
      }
      case Json.Str str -> assertThat(theirs.textValue()).isEqualTo(str.text());
      case Json.Num num -> sameNumber(num, theirs);
      case Json.Bool bool ->
          assertThat(theirs.isBoolean() && theirs.booleanValue() == bool.value()).isTrue();
      case Json.Null n -> assertThat(theirs.isNull()).isTrue();
    }
  }

  private static void sameNumber(Json.Num ours, JsonNode theirs) {
    assertThat(theirs.isNumber()).isTrue();
    if (theirs.isIntegralNumber()) {
      assertThat(ours.decimal().toBigIntegerExact()).isEqualTo(theirs.bigIntegerValue());
    } else {
      assertThat(Double.parseDouble(ours.spelling())).isEqualTo(theirs.doubleValue());
    }
    ours.asLong()
        .ifPresent(whole -> assertThat(ours.decimal()).isEqualByComparingTo(Long.toString(whole)));
  }

  private void survivesChange(Json tree) {
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
      throw new AssertionError("what was written cannot be read", unexpected);
    }
  }
}
