package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.matching;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.whole;
import static io.strowger.core.decode.Rules.word;

import io.strowger.core.decode.Members;
import io.strowger.core.decode.Reading;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The gateway's tools that run, draw and tell the time. Chat fact sheet, section 5; plugins fact
 * sheet, 12.
 */
final class MachineTools {
  private static final long MOST_SLEEP = 2_592_000; // seconds, 30 days

  /** A name of the time zone database; whether there is such a zone is for the tool to say. */
  private static final Rule<String> ZONE =
      matching(
          Pattern.compile("[A-Za-z][A-Za-z0-9_+-]*+(?:/[A-Za-z0-9_+-]++)*+"),
          "must be the name of a time zone, such as Europe/Paris");

  private static final Union<Json.Obj> ENVIRONMENT =
      Union.<Json.Obj>on("type")
          .when("container_auto", Members.kept(Members.<Json.Obj>table().build()))
          .when(
              "container_reference",
              Members.kept(
                  Members.<Json.Obj>table()
                      .required(
                          "container_id",
                          matching(
                              Pattern.compile("[\\w-]{1,20}"),
                              "must be 1 to 20 of A-Z a-z 0-9 _ -"))
                      .build()));

  /** {@code router:datetime}. */
  static final Members<Json.Obj> DATETIME =
      Members.<Json.Obj>table().optional("timezone", ZONE).build();

  /** {@code router:bash}. */
  static final Members<Json.Obj> BASH =
      Members.<Json.Obj>table()
          .optional("engine", word("auto", "native", "router"))
          .optional("environment", ENVIRONMENT)
          .optional("sleep_after_seconds", whole(1, MOST_SLEEP))
          .build();

  /** {@code router:shell}. */
  static final Members<Json.Obj> SHELL =
      Members.<Json.Obj>table()
          .optional("engine", word("auto", "router"))
          .optional("environment", ENVIRONMENT)
          .optional("sleep_after_seconds", whole(1, MOST_SLEEP))
          .build();

  /** {@code router:image_generation}: the model, and whatever {@code image_config} may hold. */
  static final Rule<Tool> IMAGE_GENERATION =
      ToolOptions.open(image(ToolOptions::mayBeOption).build(), image(name -> true).build());

  /** {@code router:files}, {@code router:apply_patch}. */
  static final Members<Json.Obj> NONE = Members.<Json.Obj>table().build();

  private MachineTools() {}

  /**
   * @param config which members are of {@code image_config}
   */
  private static Members.Builder<Json.Obj> image(Predicate<String> config) {
    return Members.<Json.Obj>table()
        .optional("model", name())
        .also((options, reading) -> imageConfig(options, config, reading));
  }

  private static void imageConfig(Json.Obj options, Predicate<String> config, Reading reading) {
    for (int i = 0; i < options.size(); i++) {
      boolean good =
          switch (options.value(i)) {
            case Json.Str s -> true;
            case Json.Num n -> true;
            case Json.Arr a -> true;
            case Json.Obj o -> false;
            case Json.Bool b -> false;
            case Json.Null n -> false;
          };
      if (!good && !options.name(i).equals("model") && config.test(options.name(i))) {
        reading.wrong(options.name(i), "must be a string, number or array", options.value(i));
      }
    }
  }
}
