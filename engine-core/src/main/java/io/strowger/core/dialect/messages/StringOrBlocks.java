package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.Rules.list;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message.Content;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * Message content that may be one string or an array of blocks.
 *
 * @param form whether it was a string or an array
 */
record StringOrBlocks(List<Part> parts, Content form) {
  static final StringOrBlocks NOTHING = new StringOrBlocks(List.of(), Content.ABSENT);

  /**
   * Returns the rule for such content.
   *
   * @param allowed the problem reported for any other JSON type, such as {@code must be a string or
   *     an array of blocks}
   */
  static Rule<StringOrBlocks> rule(String allowed, Rule<Part> block) {
    Rule<List<Part>> blocks = list(block);
    return ByJsonType.<StringOrBlocks>of(allowed)
        .string((given, context) -> given instanceof Json.Str text ? plain(text) : null)
        .array(
            (given, context) -> {
              List<Part> parts = blocks.read(given, context);
              return parts == null ? null : new StringOrBlocks(parts, Content.LIST);
            });
  }

  /**
   * Returns the content as a text part without source, since the JSON is the whole content, not a
   * block.
   */
  private static StringOrBlocks plain(Json.Str text) {
    return new StringOrBlocks(List.of(new Part.Text(text, Json.Obj.EMPTY, null)), Content.STRING);
  }
}
