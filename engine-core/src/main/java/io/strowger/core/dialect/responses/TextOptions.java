package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.text;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;

/**
 * {@code text}: the form of what is answered; a JSON schema is flat. Responses fact sheet,
 * "Request"; the length of a schema's name is that of the chat fact sheet, section 6.
 */
final class TextOptions {
  private static final MemberTable<Json.Obj> JSON_SCHEMA =
      MemberTable.<Json.Obj>table()
          .required("name", text(1, 64))
          .required("schema", object())
          .optional("strict", bool().orNull())
          .optional("description", string())
          .build();

  private static final Union<Json.Obj> FORMAT =
      Union.<Json.Obj>on("type")
          .when("text", object())
          .when("json_object", object())
          .when("json_schema", MemberTable.kept(JSON_SCHEMA));

  static final Rule<Json.Obj> RULE =
      MemberTable.kept(
          MemberTable.<Json.Obj>table()
              .optional("format", FORMAT)
              .optional("verbosity", wordAmong("low", "medium", "high", "xhigh", "max").orNull())
              .build());

  private TextOptions() {}
}
