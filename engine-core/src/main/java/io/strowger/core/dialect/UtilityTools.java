package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.matching;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The gateway's tools for commands, images and the time. Chat fact sheet, section 5; plugins fact
 * sheet, section 12.
 */
final class UtilityTools {
  private static final long MAX_SLEEP_SECONDS = 2_592_000; // 30 days

  /** The form of a time zone name; the tool itself checks that the zone exists. */
  private static final Rule<String> TIME_ZONE =
      matching(
          Pattern.compile("[A-Za-z][A-Za-z0-9_+-]*+(?:/[A-Za-z0-9_+-]++)*+"),
          "must be the name of a time zone, such as Europe/Paris");

  private static final Union<Json.Obj> ENVIRONMENT =
      Union.<Json.Obj>on("type")
          .when("container_auto", MemberTable.asJson(MemberTable.<Json.Obj>table().build()))
          .when(
              "container_reference",
              MemberTable.asJson(
                  MemberTable.<Json.Obj>table()
                      .required(
                          "container_id",
                          matching(
                              Pattern.compile("[\\w-]{1,20}"),
                              "must be 1 to 20 of A-Z a-z 0-9 _ -"))
                      .build()));

  /** The options of {@code router:datetime}. */
  static final MemberTable<Json.Obj> DATETIME =
      MemberTable.<Json.Obj>table().optional("timezone", TIME_ZONE).build();

  /** The options of {@code router:bash}. */
  static final MemberTable<Json.Obj> BASH =
      MemberTable.<Json.Obj>table()
          .optional("engine", wordAmong("auto", "native", "router"))
          .optional("environment", ENVIRONMENT)
          .optional("sleep_after_seconds", integer(1, MAX_SLEEP_SECONDS))
          .build();

  /** The options of {@code router:shell}. */
  static final MemberTable<Json.Obj> SHELL =
      MemberTable.<Json.Obj>table()
          .optional("engine", wordAmong("auto", "router"))
          .optional("environment", ENVIRONMENT)
          .optional("sleep_after_seconds", integer(1, MAX_SLEEP_SECONDS))
          .build();

  /** The rule for {@code router:image_generation}: a model, and members of {@code image_config}. */
  static final Rule<Tool> IMAGE_GENERATION =
      ToolOptions.withAnyOptions(
          imageOptions(ToolOptions::mayBeOption).build(), imageOptions(name -> true).build());

  /** No options, for {@code router:files} and {@code router:apply_patch}. */
  static final MemberTable<Json.Obj> NO_OPTIONS = MemberTable.<Json.Obj>table().build();

  private UtilityTools() {}

  /**
   * @param isConfigMember tells which members belong to {@code image_config}
   */
  private static MemberTable.Builder<Json.Obj> imageOptions(Predicate<String> isConfigMember) {
    return MemberTable.<Json.Obj>table()
        .optional("model", name())
        .addRule((options, context) -> checkImageConfig(options, isConfigMember, context));
  }

  private static void checkImageConfig(
      Json.Obj options, Predicate<String> isConfigMember, DecodingContext context) {
    for (int i = 0; i < options.size(); i++) {
      boolean isValid =
          switch (options.value(i)) {
            case Json.Str s -> true;
            case Json.Num n -> true;
            case Json.Arr a -> true;
            case Json.Obj o -> false;
            case Json.Bool b -> false;
            case Json.Null n -> false;
          };
      if (!isValid && !options.name(i).equals("model") && isConfigMember.test(options.name(i))) {
        context.reject(options.name(i), "must be a string, number or array", options.value(i));
      }
    }
  }
}
