package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.Members.kept;
import static io.strowger.core.decode.Rules.wholeFrom;
import static io.strowger.core.decode.Rules.word;

import io.strowger.core.decode.Members;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;

/** The rule for {@code thinking} of a messages body. Messages fact sheet, section 1. */
final class Thinking {
  static final int LEAST_BUDGET = 1024;

  private static final Rule<String> DISPLAY = word("summarized", "omitted").orNull();

  static final Rule<Json.Obj> RULE =
      Union.<Json.Obj>on("type")
          .when(
              "enabled",
              kept(
                  Members.<Json.Obj>table()
                      .required("budget_tokens", wholeFrom(LEAST_BUDGET))
                      .optional("display", DISPLAY)
                      .build()))
          .when("adaptive", kept(Members.<Json.Obj>table().optional("display", DISPLAY).build()))
          .when("disabled", kept(Members.<Json.Obj>table().build()));

  private Thinking() {}
}
