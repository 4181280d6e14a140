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
record ParsedContent(List<Part> parts, Content form) {
  static final ParsedContent NOTHING = new ParsedContent(List.of(), Content.ABSENT);

  /**
   * @param allowed the problem reported for any other JSON type: {@code must be a string or an
   *     array of blocks}
   */
  static Rule<ParsedContent> rule(String allowed, Rule<Part> block) {
    Rule<List<Part>> blocks = list(block);
    return ByJsonType.<ParsedContent>of(allowed)
        .string((given, context) -> given instanceof Json.Str text ? plain(text) : null)
        .array(
            (given, context) -> {
              List<Part> parts = blocks.read(given, context);
              return parts == null ? null : new ParsedContent(parts, Content.LIST);
            });
  }

  /** The part has no source: its JSON is that of a whole content, not of a block. */
  private static ParsedContent plain(Json.Str text) {
    return new ParsedContent(List.of(new Part.Text(text, Json.Obj.EMPTY, null)), Content.STRING);
  }
}
