package io.strowger.core.config;

import io.strowger.core.decode.Problems;
import io.strowger.core.resource.ConfigMember;
import io.strowger.core.resource.DestinationCreate;
import io.strowger.core.resource.DestinationTable;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.resource.FilterRules;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks an observability destination in the form of its resource. Contract: "Observability
 * destination"; the members of {@code config} are those of the resources fact sheet, section 5.
 */
final class DestinationReader {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private static final WordChoice<DestinationType> TYPES =
      WordChoice.of(DestinationType.ALL, DestinationType::name);
  private static final WordChoice<String> LOGIC = WordChoice.words("and", "or");
  private static final WordChoice<String> FIELDS =
      WordChoice.of(FilterRules.FIELDS, field -> field);
  private static final WordChoice<String> OPERATORS =
      WordChoice.of(FilterRules.Operator.WIRE_NAMES, word -> word);

  private final UniqueNames ids = new UniqueNames();

  @Nullable DestinationConfig read(Section in) {
    String id = in.text("id");
    ids.check(in, "id", id);
    in.require("id");
    in.text("name");
    in.require("name");
    DestinationType type = in.choice("type", TYPES);
    in.require("type");
    in.require("config");
    in.section("config", config -> checkConfig(config, type));
    in.flag("enabled", true);
    in.flag("privacy_mode", false);
    in.share("sampling_rate");
    in.section("filter_rules", DestinationReader::checkFilterRules);
    in.texts(
        "api_key_hashes",
        "must be the SHA-256 of a key, 64 lower-case hex digits",
        hash -> HASH.matcher(hash).matches());
    in.flag("broadcast_generation_cost", false);
    in.flag("broadcast_generation_identity", false);
    in.flag("broadcast_generation_request_context", false);
    for (String text : new String[] {"workspace_id", "created_at", "updated_at"}) {
      in.text(text);
    }
    Json.Obj body = in.wholeObject();
    return id == null || !in.isValid() ? null : toDestination(id, body, in);
  }

  /** Applies the checks of the API; shows no values, since variables may be secrets. */
  private @Nullable DestinationConfig toDestination(String id, Json.Obj body, Section in) {
    var problems = new Problems();
    DestinationCreate destination = DestinationTable.create(body, problems);
    problems.list().forEach(problem -> in.problemBelow(problem.pointer(), problem.allowed()));
    return destination == null ? null : new DestinationConfig(id, destination);
  }

  /** Checks the config without showing any of its values. */
  private static boolean checkConfig(Section in, @Nullable DestinationType type) {
    for (ConfigMember member : type == null ? List.<ConfigMember>of() : type.members()) {
      if (member.required()) {
        in.secret(member.name(), "must be text that is not empty", text -> !text.isBlank());
        in.require(member.name());
      }
    }
    in.wholeObject();
    return true;
  }

  private static boolean checkFilterRules(Section in) {
    in.flag("enabled", true);
    in.sections(
        "groups",
        (group, i) -> {
          group.choice("logic", LOGIC);
          group.sections("rules", (rule, j) -> checkRule(rule));
          return true;
        });
    return true;
  }

  private static boolean checkRule(Section in) {
    in.choice("field", FIELDS);
    in.require("field");
    in.choice("operator", OPERATORS);
    in.require("operator");
    in.scalar("value");
    return true;
  }
}
