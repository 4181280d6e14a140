package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.text;
import static io.strowger.spi.catalog.Parameter.RESPONSE_FORMAT;
import static io.strowger.spi.catalog.Parameter.STRUCTURED_OUTPUTS;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;

/**
 * {@code response_format}, read into the mask of the parameters an endpoint needs for it. Chat fact
 * sheet, section 6; routing fact sheet, section 7.
 */
final class ResponseFormat {
  private static final int NAME_CHARS = 64;

  private static final MemberTable<Json.Obj> SCHEMA =
      MemberTable.<Json.Obj>table()
          .required("name", text(1, NAME_CHARS))
          .optional("description", string())
          .optional("schema", object())
          .optional("strict", bool().orNull())
          .build();

  static final Rule<Long> RULE =
      Union.<Long>on("type")
          .when("text", needs(0, nothing()))
          .when("json_object", needs(RESPONSE_FORMAT.bit(), nothing()))
          .when(
              "json_schema",
              needs(
                  STRUCTURED_OUTPUTS.bit(),
                  nothing().required("json_schema", MemberTable.kept(SCHEMA))))
          .when("grammar", needs(RESPONSE_FORMAT.bit(), nothing().required("grammar", string())))
          .when("python", needs(RESPONSE_FORMAT.bit(), nothing()));

  private ResponseFormat() {}

  /** No members beside the type. */
  private static MemberTable.Builder<Json.Obj> nothing() {
    return MemberTable.table();
  }

  private static Rule<Long> needs(long parameters, MemberTable.Builder<Json.Obj> members) {
    return MemberTable.mapped(members.build(), format -> parameters);
  }
}
