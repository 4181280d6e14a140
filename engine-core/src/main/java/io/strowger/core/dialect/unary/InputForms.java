package io.strowger.core.dialect.unary;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.EmbeddingsInput;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rules for {@code input}, which has five forms: a string, or an array of strings, of numbers,
 * of arrays of numbers or of objects with content. Embeddings fact sheet, {@code input}.
 *
 * <p>The first item of an array determines the form, and all other items must have the same form.
 * An empty array is ambiguous and rejected.
 */
public final class InputForms {
  private static final Rule<Json.Str> TEXT = string(1, Integer.MAX_VALUE);

  /** A part of a content. Members of types for which the sheet lists none are not checked. */
  private static final Rule<Json.Obj> PART =
      Union.<Json.Obj>on("type")
          .when("text", objectWith("text", TEXT))
          .when("image_url", objectWith("image_url", objectWith("url", string())))
          .when("input_audio", object())
          .when("input_video", object())
          .when("file", object());

  private static final Form TEXTS = new Form("a string", TEXT, EmbeddingsInput.Texts::new);
  private static final Form TOKENS = new Form("a number", number(), EmbeddingsInput.Tokens::new);
  private static final Form TOKEN_LISTS =
      new Form("an array of numbers", items(number()), EmbeddingsInput.TokenLists::new);
  private static final Form CONTENTS =
      new Form(
          "an object",
          objectWith("content", items(PART, 1, Integer.MAX_VALUE)),
          EmbeddingsInput.Contents::new);

  /** Accepts all five forms. */
  public static final Rule<EmbeddingsInput> RULE =
      ByJsonType.<EmbeddingsInput>of(
              "must be a string, or an array of strings, of numbers, of arrays of numbers or of"
                  + " objects with content")
          .string(InputForms::text)
          .array(InputForms::array);

  /** Accepts the four forms that a batch allows: no objects with content. */
  public static final Rule<EmbeddingsInput> BATCH_RULE =
      ByJsonType.<EmbeddingsInput>of(
              "must be a string, or an array of strings, of numbers or of arrays of numbers")
          .string(InputForms::text)
          .array(InputForms::batchArray);

  private InputForms() {}

  private static Rule<Json.Obj> objectWith(String member, Rule<?> rule) {
    return members().required(member, rule).asJson();
  }

  private static @Nullable EmbeddingsInput text(Json value, DecodingContext context) {
    Json.Str text = TEXT.read(value, context);
    return text == null ? null : new EmbeddingsInput.Text(text);
  }

  private static @Nullable EmbeddingsInput array(Json value, DecodingContext context) {
    Json.Arr items = (Json.Arr) value;
    if (items.isEmpty()) {
      context.reject("must have at least 1 item", items);
      return null;
    }
    Form form = formOf(items.get(0));
    if (form == null) {
      context.reject(
          0, "must be a string, a number, an array of numbers or an object", items.get(0));
      return null;
    }
    return form.read(items, context);
  }

  private static @Nullable EmbeddingsInput batchArray(Json value, DecodingContext context) {
    Json first = ((Json.Arr) value).isEmpty() ? null : ((Json.Arr) value).get(0);
    if (first instanceof Json.Obj) {
      context.reject(0, "must be a string, a number or an array of numbers, in a batch", first);
      return null;
    }
    return array(value, context);
  }

  private static @Nullable Form formOf(Json first) {
    return switch (first) {
      case Json.Str s -> TEXTS;
      case Json.Num n -> TOKENS;
      case Json.Arr a -> TOKEN_LISTS;
      case Json.Obj o -> CONTENTS;
      case Json.Bool b -> null;
      case Json.Null n -> null;
    };
  }

  /** An array whose items are all of one kind. */
  private record Form(String kind, Rule<?> item, Function<Json.Arr, EmbeddingsInput> input) {
    @Nullable EmbeddingsInput read(Json.Arr items, DecodingContext context) {
      int problemsBefore = context.problemCount();
      for (int i = 0; i < items.size(); i++) {
        if (formOf(items.get(i)) == this) {
          context.enter(i);
          item.read(items.get(i), context);
          context.leave();
        } else {
          context.reject(i, "must be " + kind + ", as the first item is", items.get(i));
        }
      }
      return context.problemCount() == problemsBefore ? input.apply(items) : null;
    }
  }
}
