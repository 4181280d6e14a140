package io.strowger.core.dialect.messages;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;

/**
 * The {@code input} of a call: an object, never a string. What a model wrote that is none stands in
 * one under {@code unparsed}, so that nothing is lost or made up.
 */
final class CallInput {
  private static final JacksonCodec CODEC = new JacksonCodec();

  private CallInput() {}

  static Json of(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Value(Json value) -> object(value, arguments);
      case Arguments.Text(Json.Str written) -> parsed(written.text(), arguments);
    };
  }

  private static Json parsed(String text, Arguments arguments) {
    if (text.isBlank()) {
      return Json.Obj.EMPTY;
    }
    try {
      return object(CODEC.parse(text.getBytes(StandardCharsets.UTF_8)), arguments);
    } catch (MalformedJsonException written) {
      return unparsed(arguments);
    }
  }

  private static Json object(Json value, Arguments arguments) {
    return switch (value) {
      case Json.Obj object -> object;
      case Json.Null nothing -> Json.Obj.EMPTY;
      case Json.Arr a -> unparsed(arguments);
      case Json.Str s -> unparsed(arguments);
      case Json.Num n -> unparsed(arguments);
      case Json.Bool b -> unparsed(arguments);
    };
  }

  private static Json unparsed(Arguments arguments) {
    return Json.object().put("unparsed", arguments.asString()).build();
  }
}
