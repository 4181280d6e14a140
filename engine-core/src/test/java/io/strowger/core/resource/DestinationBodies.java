package io.strowger.core.resource;

import static io.strowger.core.resource.KeyBodies.changes;
import static io.strowger.core.resource.KeyBodies.changesOrClear;
import static io.strowger.core.resource.KeyBodies.put;
import static io.strowger.core.resource.KeyBodies.texts;

import io.strowger.core.resource.FilterRules.Operator;
import io.strowger.core.resource.ResourceWords.Broken;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.KeyId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Makes the bodies of destinations, good ones and such as break one rule. */
public final class DestinationBodies {
  private static final Arbitrary<Boolean> FLAGS = Arbitraries.of(true, false);

  private DestinationBodies() {}

  public static Arbitrary<DestinationCreate> creates() {
    return Arbitraries.of(DestinationType.ALL)
        .flatMap(
            type ->
                Combinators.combine(
                        texts(),
                        Arbitraries.strings().injectNull(0.5),
                        configs(type),
                        selections(),
                        disclosures())
                    .as(
                        (name, workspace, config, destinationSelection, disclosure) ->
                            new DestinationCreate(
                                name, workspace, type, config, destinationSelection, disclosure)));
  }

  /** A change of a destination of this type. */
  public static Arbitrary<DestinationUpdate> updates(DestinationType type) {
    Arbitrary<DestinationSelection.Change> selections =
        Combinators.combine(
                changes(FLAGS), changes(rates()), changesOrClear(rules()), changesOrClear(keys()))
            .as(DestinationSelection.Change::new);
    Arbitrary<Disclosure.Change> disclosures =
        Combinators.combine(changes(FLAGS), changes(FLAGS), changes(FLAGS), changes(FLAGS))
            .as(Disclosure.Change::new);
    Arbitrary<Json.Obj> configs =
        Arbitraries.oneOf(Arbitraries.just(Json.Obj.EMPTY), configs(type));
    return Combinators.combine(changes(texts()), configs, selections, disclosures)
        .as(DestinationUpdate::new);
  }

  public static Json.Obj document(DestinationCreate destination) {
    DestinationSelection destinationSelection = destination.selection();
    Disclosure disclosure = destination.disclosure();
    Json.Obj.Builder body =
        Json.object()
            .put("config", destination.config())
            .put("name", destination.name())
            .put("type", destination.type().name())
            .put("enabled", destinationSelection.enabled())
            .put("sampling_rate", Json.of(destinationSelection.samplingRate()))
            .put("privacy_mode", disclosure.privacyMode())
            .put("broadcast_generation_cost", disclosure.cost())
            .put("broadcast_generation_identity", disclosure.identity())
            .put("broadcast_generation_request_context", disclosure.requestContext());
    FilterRules rules = destinationSelection.filterRules();
    body.put("filter_rules", rules == null ? Json.NULL : json(rules));
    List<KeyId> keys = destinationSelection.keys();
    body.put("api_key_hashes", keys == null ? Json.NULL : json(keys));
    if (destination.workspaceId() instanceof String workspace) {
      body.put("workspace_id", workspace);
    }
    return body.build();
  }

  public static Json.Obj document(DestinationUpdate update) {
    Json.Obj.Builder body = Json.object();
    put(body, "name", update.name(), Json::of);
    if (update.config().size() > 0) {
      body.put("config", update.config());
    }
    put(body, "enabled", update.selection().enabled(), Json::of);
    put(body, "sampling_rate", update.selection().samplingRate(), Json::of);
    put(body, "filter_rules", update.selection().filterRules(), DestinationBodies::json);
    put(body, "api_key_hashes", update.selection().keys(), DestinationBodies::json);
    put(body, "privacy_mode", update.disclosure().privacyMode(), Json::of);
    put(body, "broadcast_generation_cost", update.disclosure().cost(), Json::of);
    put(body, "broadcast_generation_identity", update.disclosure().identity(), Json::of);
    put(
        body,
        "broadcast_generation_request_context",
        update.disclosure().requestContext(),
        Json::of);
    return body.build();
  }

  /** Every way to break one rule that a body that makes one shares with one that changes one. */
  public static List<Broken> broken(Json.Obj good, DestinationType type) {
    var broken = new ArrayList<Broken>();
    spoil(broken, good, "name", Json.NULL, Json.of(""), Json.of(1));
    spoil(broken, good, "config", Json.NULL, Json.of("secret"), Json.array());
    spoil(broken, good, "enabled", Json.NULL, Json.of(1));
    spoil(broken, good, "privacy_mode", Json.NULL, Json.of("false"));
    spoil(broken, good, "sampling_rate", Json.NULL, Json.of(0), Json.of("1"), Json.of(2));
    spoil(broken, good, "filter_rules", Json.array(), Json.of("x"));
    spoil(broken, good, "api_key_hashes", Json.array(), Json.of("x"));
    spoil(broken, good, "broadcast_generation_cost", Json.NULL, Json.of(1));
    spoil(broken, good, "broadcast_generation_identity", Json.NULL, Json.of(1));
    spoil(broken, good, "broadcast_generation_request_context", Json.NULL, Json.of(1));
    Json.Obj config = good.object("config");
    if (config != null) {
      for (ConfigMember member : type.members()) {
        for (Json wrong : List.of(Json.NULL, Json.of(" "), Json.of(5))) {
          if (member.form() == ConfigMember.Form.ANY && wrong instanceof Json.Str) {
            continue; // may be blank
          }
          if (wrong.equals(Json.NULL) && !member.required()) {
            continue; // takes it away, in a change
          }
          String pointer = "/config/" + member.name();
          broken.add(new Broken(pointer, good.with("config", config.with(member.name(), wrong))));
        }
      }
    }
    return broken;
  }

  /** Every way to leave something out of a body that makes one, or to say null instead. */
  public static List<Broken> incomplete(Json.Obj good, DestinationType type) {
    var broken = new ArrayList<Broken>();
    for (String name : List.of("name", "type", "config")) {
      broken.add(new Broken("/" + name, good.without(name)));
    }
    Json.Obj config = good.object("config");
    for (ConfigMember member : type.members()) {
      String pointer = "/config/" + member.name();
      if (member.required() && config != null) {
        broken.add(new Broken(pointer, good.with("config", config.without(member.name()))));
      } else if (config != null) {
        broken.add(new Broken(pointer, good.with("config", config.with(member.name(), Json.NULL))));
      }
    }
    return broken;
  }

  private static void spoil(List<Broken> broken, Json.Obj good, String name, Json... values) {
    for (Json value : values) {
      broken.add(new Broken("/" + name, good.with(name, value)));
    }
  }

  /** Complete with usual values, as a destination is once it is read. */
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
              return type.withFallbacks(config.build());
            });
  }

  private static String sample(ConfigMember member, int number) {
    return switch (member.form()) {
      case ANY -> number % 5 == 0 ? "" : " " + number;
      case TEXT -> "text " + number;
      case HOST -> "host-" + number + ".example";
      case URL -> "https://host-" + number + ".example:4318/v1?x=y";
      case DSN -> "https://key@host.example/" + number;
      case WORD -> member.words().get(number % member.words().size());
    };
  }

  private static Arbitrary<DestinationSelection> selections() {
    return Combinators.combine(FLAGS, rates(), rules().injectNull(0.5), keys().injectNull(0.5))
        .as(DestinationSelection::new);
  }

  private static Arbitrary<Disclosure> disclosures() {
    return Combinators.combine(FLAGS, FLAGS, FLAGS, FLAGS).as(Disclosure::new);
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
                (field, operator, number) ->
                    new FilterRules.Rule(field, operator, value(operator, number)));
    Arbitrary<FilterRules.Group> groups =
        Combinators.combine(FLAGS, rules.list().ofMaxSize(3)).as(FilterRules.Group::new);
    return Combinators.combine(FLAGS, groups.list().ofMaxSize(3)).as(FilterRules::new);
  }

  private static @Nullable Json value(Operator operator, boolean number) {
    return switch (operator) {
      case EXISTS, NOT_EXISTS -> null;
      case GT, LT, GTE, LTE -> number ? Json.of(5) : Json.of("-0.5");
      case REGEX -> Json.of("^a[(?=]+\\\\1$");
      case EQUALS, NOT_EQUALS, CONTAINS, NOT_CONTAINS, STARTS_WITH, ENDS_WITH ->
          number ? Json.of(5) : Json.of("text");
    };
  }

  private static Json json(FilterRules rules) {
    var groups = new ArrayList<Json>();
    for (FilterRules.Group group : rules.groups()) {
      groups.add(
          Json.object()
              .put("logic", group.all() ? "and" : "or")
              .put(
                  "rules", Json.array(group.rules().stream().map(DestinationBodies::json).toList()))
              .build());
    }
    return Json.object().put("enabled", rules.enabled()).put("groups", Json.array(groups)).build();
  }

  private static Json json(FilterRules.Rule rule) {
    Json.Obj.Builder member =
        Json.object().put("field", rule.field()).put("operator", rule.operator().word());
    if (rule.value() instanceof Json value) {
      member.put("value", value);
    }
    return member.build();
  }

  private static Json json(List<KeyId> keys) {
    return Json.array(keys.stream().map(key -> Json.of(key.hex())).toList());
  }
}
