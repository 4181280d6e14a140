package io.strowger.core.resource;

import static io.strowger.core.resource.KeyBodies.texts;

import io.strowger.core.resource.DestinationTable.Change;
import io.strowger.core.resource.FilterRules.Operator;
import io.strowger.core.resource.ResourceType.Values;
import io.strowger.core.resource.ResourceWords.BrokenBody;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.KeyId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Generates bodies of destinations: valid ones, and ones that break one rule. */
public final class DestinationBodies {
  private static final Arbitrary<Boolean> FLAGS = Arbitraries.of(true, false);

  private DestinationBodies() {}

  public static Arbitrary<DestinationCreate> creates() {
    return Arbitraries.of(DestinationType.ALL)
        .flatMap(
            type ->
                Combinators.combine(
                        texts(), Arbitraries.strings().injectNull(0.5), configs(type), members(0))
                    .as(
                        (name, workspace, config, members) ->
                            new DestinationCreate(
                                workspace, type, config, values(name, type, members))));
  }

  private static Values values(String name, DestinationType type, Json.Obj members) {
    return new Values(
        Json.object().put("name", name).put("type", type.name()).putAll(members).build(), null);
  }

  /** Generates changes of a destination of this type. */
  public static Arbitrary<Change> updates(DestinationType type) {
    Arbitrary<Json.Obj> configs =
        Arbitraries.oneOf(Arbitraries.just(Json.Obj.EMPTY), configs(type));
    return Combinators.combine(texts().injectNull(0.5), configs, members(0.5))
        .as(
            (name, config, members) ->
                new Change(
                    new Values(
                        name == null
                            ? members
                            : Json.object().put("name", name).putAll(members).build(),
                        null),
                    config));
  }

  /**
   * Generates all members but the name, in the order of the table.
   *
   * @param missing the probability that a member is left out
   */
  private static Arbitrary<Json.Obj> members(double missing) {
    Arbitrary<Json> flags = Arbitraries.of(Json.TRUE, Json.FALSE);
    Arbitrary<Json> ofNull = Arbitraries.just(Json.NULL);
    Map<String, Arbitrary<Json>> table = new LinkedHashMap<>();
    table.put("enabled", flags);
    table.put("privacy_mode", flags);
    table.put("sampling_rate", rates().map(Json::of));
    table.put("filter_rules", Arbitraries.oneOf(ofNull, rules().map(given -> json(given))));
    table.put("api_key_hashes", Arbitraries.oneOf(ofNull, keys().map(given -> json(given))));
    table.put("broadcast_generation_cost", flags);
    table.put("broadcast_generation_identity", flags);
    table.put("broadcast_generation_request_context", flags);
    List<Arbitrary<Json.Obj>> each = new ArrayList<>();
    table.forEach(
        (name, values) ->
            each.add(
                values
                    .injectNull(missing)
                    .map(
                        value ->
                            value == null
                                ? Json.Obj.EMPTY
                                : Json.object().put(name, value).build())));
    return Combinators.combine(each)
        .as(
            all -> {
              Json.Obj.Builder members = Json.object();
              all.forEach(members::putAll);
              return members.build();
            });
  }

  public static Json.Obj document(DestinationCreate destination) {
    Json.Obj.Builder body = Json.object().put("config", destination.config());
    body.putAll(destination.values().members());
    if (destination.workspaceId() instanceof String workspace) {
      body.put("workspace_id", workspace);
    }
    return body.build();
  }

  public static Json.Obj document(Change change) {
    Json.Obj.Builder body = Json.object().putAll(change.values().members());
    if (change.config().size() > 0) {
      body.put("config", change.config());
    }
    return body.build();
  }

  /** Returns bodies that each break one rule common to creating and changing a destination. */
  public static List<BrokenBody> broken(Json.Obj good, DestinationType type) {
    var broken = new ArrayList<BrokenBody>();
    addBroken(broken, good, "name", Json.NULL, Json.of(""), Json.of(1));
    addBroken(broken, good, "config", Json.NULL, Json.of("secret"), Json.array());
    addBroken(broken, good, "enabled", Json.NULL, Json.of(1));
    addBroken(broken, good, "privacy_mode", Json.NULL, Json.of("false"));
    addBroken(broken, good, "sampling_rate", Json.NULL, Json.of(0), Json.of("1"), Json.of(2));
    addBroken(broken, good, "filter_rules", Json.array(), Json.of("x"));
    addBroken(broken, good, "api_key_hashes", Json.array(), Json.of("x"));
    addBroken(broken, good, "broadcast_generation_cost", Json.NULL, Json.of(1));
    addBroken(broken, good, "broadcast_generation_identity", Json.NULL, Json.of(1));
    addBroken(broken, good, "broadcast_generation_request_context", Json.NULL, Json.of(1));
    Json.Obj config = good.object("config");
    if (config != null) {
      for (ConfigMember member : type.members()) {
        for (Json wrong : List.of(Json.NULL, Json.of(" "), Json.of(5))) {
          if (member.form() == ConfigMember.Form.ANY && wrong instanceof Json.Str) {
            continue; // may be blank
          }
          if (wrong.equals(Json.NULL) && !member.required()) {
            continue; // removes the member, in a change
          }
          String pointer = "/config/" + member.name();
          broken.add(
              new BrokenBody(pointer, good.with("config", config.with(member.name(), wrong))));
        }
      }
    }
    return broken;
  }

  /**
   * Returns bodies for creating a destination that each lack a required member, or have null for an
   * optional one.
   */
  public static List<BrokenBody> incomplete(Json.Obj good, DestinationType type) {
    var broken = new ArrayList<BrokenBody>();
    for (String name : List.of("name", "type", "config")) {
      broken.add(new BrokenBody("/" + name, good.without(name)));
    }
    Json.Obj config = good.object("config");
    for (ConfigMember member : type.members()) {
      String pointer = "/config/" + member.name();
      if (member.required() && config != null) {
        broken.add(new BrokenBody(pointer, good.with("config", config.without(member.name()))));
      } else if (config != null) {
        broken.add(
            new BrokenBody(pointer, good.with("config", config.with(member.name(), Json.NULL))));
      }
    }
    return broken;
  }

  private static void addBroken(
      List<BrokenBody> broken, Json.Obj good, String name, Json... values) {
    for (Json value : values) {
      broken.add(new BrokenBody("/" + name, good.with(name, value)));
    }
  }

  /** Generates configs with all defaults filled in, as in a decoded destination. */
  static Arbitrary<Json.Obj> configs(DestinationType type) {
    return Arbitraries.randomValue(random -> random)
        .map(
            random -> {
              Json.Obj.Builder config = Json.object();
              for (ConfigMember member : type.members()) {
                if (member.required() || random.nextBoolean()) {
                  config.put(member.name(), sample(member, random.nextInt(1000)));
                }
              }
              if (random.nextBoolean()) {
                config.put("headers", Json.object().put("X-Team", "t" + random.nextInt(9)).build());
              }
              return type.withDefaults(config.build());
            });
  }

  private static String sample(ConfigMember member, int number) {
    return switch (member.form()) {
      case ANY -> number % 5 == 0 ? "" : " " + number;
      case TEXT -> "text " + number;
      case HOST -> "host-" + number + ".example";
      case URL -> "https://host-" + number + ".example:4318/v1?x=y";
      case DSN -> "https://key@host.example/" + number;
      case WORD -> member.allowedWords().get(number % member.allowedWords().size());
    };
  }

  private static Arbitrary<BigDecimal> rates() {
    return Arbitraries.integers()
        .between(1, 10_000)
        .map(share -> BigDecimal.valueOf(share, 4).stripTrailingZeros());
  }

  private static Arbitrary<List<KeyId>> keys() {
    return Combinators.combine(
            Arbitraries.longs(), Arbitraries.longs(), Arbitraries.longs(), Arbitraries.longs())
        .as(KeyId::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(3);
  }

  static Arbitrary<FilterRules> rules() {
    Arbitrary<FilterRules.Rule> rules =
        Combinators.combine(
                Arbitraries.of(FilterRules.FIELDS), Arbitraries.of(Operator.class), FLAGS)
            .as(
                (field, operator, isNumber) ->
                    new FilterRules.Rule(field, operator, value(operator, isNumber)));
    Arbitrary<FilterRules.Group> groups =
        Combinators.combine(FLAGS, rules.list().ofMaxSize(3)).as(FilterRules.Group::new);
    return Combinators.combine(FLAGS, groups.list().ofMaxSize(3)).as(FilterRules::new);
  }

  private static @Nullable Json value(Operator operator, boolean isNumber) {
    return switch (operator) {
      case EXISTS, NOT_EXISTS -> null;
      case GT, LT, GTE, LTE -> isNumber ? Json.of(5) : Json.of("-0.5");
      case REGEX -> Json.of("^a[(?=]+\\\\1$");
      case EQUALS, NOT_EQUALS, CONTAINS, NOT_CONTAINS, STARTS_WITH, ENDS_WITH ->
          isNumber ? Json.of(5) : Json.of("text");
    };
  }

  private static Json json(FilterRules rules) {
    var groups = new ArrayList<Json>();
    for (FilterRules.Group group : rules.groups()) {
      groups.add(
          Json.object()
              .put("logic", group.requiresAll() ? "and" : "or")
              .put(
                  "rules", Json.array(group.rules().stream().map(DestinationBodies::json).toList()))
              .build());
    }
    return Json.object().put("enabled", rules.enabled()).put("groups", Json.array(groups)).build();
  }

  private static Json json(FilterRules.Rule rule) {
    Json.Obj.Builder member =
        Json.object().put("field", rule.field()).put("operator", rule.operator().wireName());
    if (rule.value() instanceof Json value) {
      member.put("value", value);
    }
    return member.build();
  }

  private static Json json(List<KeyId> keys) {
    return Json.array(keys.stream().map(key -> Json.of(key.hex())).toList());
  }
}
