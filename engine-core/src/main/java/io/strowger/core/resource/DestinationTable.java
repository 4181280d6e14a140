package io.strowger.core.resource;

import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;
import static io.strowger.core.resource.ResourceRules.JSON_FLAG;
import static io.strowger.core.resource.ResourceRules.json;
import static io.strowger.core.resource.ResourceRules.jsonList;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.resource.ResourceType.Values;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The members of an observability destination: {@code /observability/destinations}. Contract:
 * "Observability destination"; resources fact sheet, section 5. The members of its config depend on
 * its type: {@link DestinationConfigs}. No secret of a config is ever shown.
 */
public final class DestinationTable {
  /**
   * The document member that holds the destination's slot: a number that is unique among the
   * destinations of one workspace and type.
   */
  public static final String SLOT = "slot";

  public static final ResourceType TYPE =
      ResourceType.table()
          .required("name", json(name()))
          .fixed("type", json(wordAmong(DestinationType.NAMES)))
          .masked("config")
          .optional("enabled", JSON_FLAG, Json.TRUE)
          .optional("privacy_mode", JSON_FLAG, Json.FALSE)
          .optional(
              "sampling_rate",
              number(new BigDecimal("0.0001"), BigDecimal.ONE)
                  .<Json>to(rate -> Json.of(rate.stripTrailingZeros())),
              Json.of(BigDecimal.ONE))
          .clearable("filter_rules", FilterRulesDecoding.FILTER_RULES.<Json>to(FilterRules::json))
          .clearable("api_key_hashes", jsonList(list(ResourceRules.HASH, 1, Integer.MAX_VALUE)))
          .optional("broadcast_generation_cost", JSON_FLAG, Json.FALSE)
          .optional("broadcast_generation_identity", JSON_FLAG, Json.FALSE)
          .optional("broadcast_generation_request_context", JSON_FLAG, Json.FALSE)
          .workspace(string())
          .redactedInAudit("filter_rules")
          .internal(SLOT)
          .storedFirst("name", "type", SLOT, "config", ResourceType.SEALED)
          .build();

  private DestinationTable() {}

  /**
   * A change of a destination. Its {@link #toString} shows nothing of the config.
   *
   * @param config the members that change; empty when none does. Masked members are left out, so
   *     they stay as stored; masked headers are in it. Holds secrets. A copy, so that the request
   *     body can be collected
   */
  public record Change(Values values, Json.Obj config) {
    @Override
    public String toString() {
      return "Change[" + values + "]";
    }
  }

  /**
   * Reads the body that creates a destination.
   *
   * @return null when a problem was noted
   */
  public static @Nullable DestinationCreate create(Json.Obj body, Problems problems) {
    var context = new DecodingContext(problems);
    int problemsBefore = context.problemCount();
    Values values = TYPE.create(body, context);
    String typeName = body.text("type");
    DestinationType type = typeName == null ? null : DestinationType.find(typeName);
    Json.Obj config =
        config(
            body,
            type == null ? DestinationConfigs.partial(null) : DestinationConfigs.complete(type),
            context);
    return values == null || type == null || context.problemCount() > problemsBefore
        ? null
        : new DestinationCreate(body.text("workspace_id"), type, type.withDefaults(config), values);
  }

  /**
   * Reads the body that changes a destination. A secret that is sent back in its masked form is not
   * changed.
   *
   * @param type the destination's type, which defines its config; null when there is no such
   *     destination. The config is then checked only in part
   * @return null when a problem was noted
   */
  public static @Nullable Change update(
      Json.Obj body, @Nullable DestinationType type, Problems problems) {
    var context = new DecodingContext(problems);
    int problemsBefore = context.problemCount();
    Values values = TYPE.update(body, context);
    Json.Obj sentConfig = body.object("config");
    Json.Obj unmaskedBody =
        type == null || sentConfig == null
            ? body
            : body.with("config", type.withoutMasks(sentConfig));
    Json.Obj config = config(unmaskedBody, DestinationConfigs.partial(type), context);
    return values == null || context.problemCount() > problemsBefore
        ? null
        : new Change(values, config);
  }

  /** Reads the config, after the type is known, since the type may come later in the body. */
  private static Json.Obj config(Json.Obj body, Rule<Json.Obj> rule, DecodingContext context) {
    Json value = body.get("config");
    if (value == null) {
      return Json.Obj.EMPTY;
    }
    context.enter("config");
    Json.Obj config =
        value instanceof Json.Obj ? rule.read(value, context) : rule.secret().read(value, context);
    context.leave();
    return config == null ? Json.Obj.EMPTY : config.detached();
  }
}
