package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a document under small limits, which nearly every document reaches, and asserts that it is
 * accepted exactly when it is within all of them.
 */
final class TightLimits {
  private static final JsonLimits LIMITS = new JsonLimits(3, 8, 4, 5, 3, 10);
  private static final JacksonCodec CODEC = new JacksonCodec(LIMITS);

  private int values;
  private boolean within = true;

  private TightLimits() {}

  /**
   * Asserts it for one document.
   *
   * @param tree the document as it was read without the limits; null when it is not JSON
   */
  static void assertHeld(byte[] document, @Nullable Json tree) {
    boolean accepted;
    try {
      Json read = CODEC.parse(document.clone());
      assertThat(read).isEqualTo(tree);
      accepted = true;
    } catch (MalformedJsonException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      accepted = false;
    }
    if (tree != null) {
      var limits = new TightLimits();
      limits.visit(tree, 1);
      limits.require(limits.values <= LIMITS.values());
      assertThat(accepted).as("accepted exactly when within %s", LIMITS).isEqualTo(limits.within);
    }
  }

  private void visit(Json json, int depth) {
    values++;
    switch (json) {
      case Json.Obj object -> {
        require(depth <= LIMITS.depth() && object.size() <= LIMITS.members());
        for (int i = 0; i < object.size(); i++) {
          require(object.name(i).length() <= LIMITS.nameChars());
          visit(object.value(i), depth + 1);
        }
      }
      case Json.Arr items -> {
        require(depth <= LIMITS.depth() && items.size() <= LIMITS.members());
        items.forEach(item -> visit(item, depth + 1));
      }
      case Json.Str str -> require(str.utf8Bound() <= LIMITS.stringBytes());
      case Json.Num num -> require(num.spelling().length() <= LIMITS.numberChars());
      case Json.Bool bool -> {}
      case Json.Null none -> {}
    }
  }

  private void require(boolean condition) {
    within &= condition;
  }
}
