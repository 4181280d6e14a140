package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.Rules.list;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message.ContentForm;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * Message content that may be one string or an array of blocks.
 *
 * @param form whether it was a string or an array
 */
record StringOrBlocks(List<Part> parts, ContentForm form) {
  static final StringOrBlocks ABSENT = new StringOrBlocks(List.of(), ContentForm.ABSENT);

  /**
   * Returns the rule for such content.
   *
   * @param allowed the problem reported for any other JSON type, such as {@code must be a string or
   *     an array of blocks}
   */
  static Rule<StringOrBlocks> rule(String allowed, Rule<Part> block) {
    Rule<List<Part>> blocks = list(block);
    return ByJsonType.<StringOrBlocks>of(allowed)
        .string((value, context) -> value instanceof Json.Str text ? ofString(text) : null)
        .array(
            (value, context) -> {
              List<Part> parts = blocks.read(value, context);
              return parts == null ? null : new StringOrBlocks(parts, ContentForm.LIST);
            });
  }

  /**
   * Returns the content as a text part without source, since the JSON is the whole content, not a
   * block.
   */
  private static StringOrBlocks ofString(Json.Str text) {
    return new StringOrBlocks(
        List.of(new Part.Text(text, Json.Obj.EMPTY, null)), ContentForm.STRING);
  }
}
