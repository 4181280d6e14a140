package io.strowger.core.resource;

import static io.strowger.core.decode.Rules.any;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.matching;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;
import static io.strowger.core.resource.ResourceRules.FLAG;
import static io.strowger.core.resource.ResourceRules.change;
import static io.strowger.core.resource.ResourceRules.changeOrClear;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.KeyId;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies that create and update an observability destination. Contract: "Observability
 * destination"; resources fact sheet, section 5. Unknown members are ignored, and so is {@code
 * type} in an update. No secret of a config is ever shown. Immutable, safe on any thread.
 */
public final class DestinationDecoder {
  private static final Rule<BigDecimal> RATE = number(new BigDecimal("0.0001"), BigDecimal.ONE);

  private static final Rule<KeyId> HASH =
      matching(
              Pattern.compile("[0-9a-f]{64}"),
              "must be the hash of a key, 64 lower-case hex digits")
          .to(hex -> KeyId.of(HexFormat.of().parseHex(hex)), "must be the hash of a key");

  private static final Rule<List<KeyId>> HASHES = list(HASH, 1, Integer.MAX_VALUE);

  private static final Rule<FilterRules> FILTER = FilterRulesDecoding.RULE;

  private static final Rule<DestinationType> TYPE =
      wordAmong(DestinationType.NAMES).to(DestinationType::named, "must be a type of destination");

  private static final MemberTable<DestinationDraft> CREATE =
      MemberTable.<DestinationDraft>table()
          .required("name", name(), (draft, name) -> draft.name = name)
          .required("type", TYPE, (draft, type) -> draft.type = type)
          .required("config", any())
          .optional("enabled", FLAG, (draft, flag) -> draft.enabled = flag)
          .optional("privacy_mode", FLAG, (draft, flag) -> draft.privacyMode = flag)
          .optional("sampling_rate", RATE, (draft, rate) -> draft.samplingRate = rate)
          .optional("filter_rules", FILTER.orNull(), (draft, rules) -> draft.filterRules = rules)
          .optional("api_key_hashes", HASHES.orNull(), (draft, keys) -> draft.keys = keys)
          .optional("broadcast_generation_cost", FLAG, (draft, flag) -> draft.cost = flag)
          .optional("broadcast_generation_identity", FLAG, (draft, flag) -> draft.identity = flag)
          .optional(
              "broadcast_generation_request_context", FLAG, (draft, flag) -> draft.context = flag)
          .optional("workspace_id", string(), (draft, id) -> draft.workspaceId = id.text())
          .build();

  private static final MemberTable<DestinationChange> UPDATE =
      MemberTable.<DestinationChange>table()
          .optional("name", change(name()), (draft, name) -> draft.name = name)
          .optional("config", any())
          .optional("enabled", change(FLAG), (draft, flag) -> draft.enabled = flag)
          .optional("privacy_mode", change(FLAG), (draft, flag) -> draft.privacyMode = flag)
          .optional("sampling_rate", change(RATE), (draft, rate) -> draft.samplingRate = rate)
          .optional(
              "filter_rules", changeOrClear(FILTER), (draft, rules) -> draft.filterRules = rules)
          .optional("api_key_hashes", changeOrClear(HASHES), (draft, keys) -> draft.keys = keys)
          .optional("broadcast_generation_cost", change(FLAG), (draft, flag) -> draft.cost = flag)
          .optional(
              "broadcast_generation_identity", change(FLAG), (draft, flag) -> draft.identity = flag)
          .optional(
              "broadcast_generation_request_context",
              change(FLAG),
              (draft, flag) -> draft.context = flag)
          .build();

  /**
   * Reads the body that makes a destination.
   *
   * @return null when a problem was noted
   */
  public @Nullable DestinationCreate create(Json.Obj body, Problems problems) {
    var reading = new DecodingContext(problems);
    int before = reading.found();
    var draft = new DestinationDraft();
    CREATE.read(body, reading, draft);
    if (draft.type != null) {
      draft.config = config(body, DestinationConfigs.complete(draft.type), reading);
    } else {
      config(body, DestinationConfigs.changes(null), reading);
    }
    return reading.found() == before ? draft.finish() : null;
  }

  /**
   * Reads the body that changes a destination. A secret that is sent back in its masked form is not
   * changed.
   *
   * @param type of the destination, which tells what its config holds; null when there is no such
   *     destination; its config is then checked only in part
   * @return null when a problem was noted
   */
  public @Nullable DestinationUpdate update(
      Json.Obj body, @Nullable DestinationType type, Problems problems) {
    var reading = new DecodingContext(problems);
    int before = reading.found();
    var draft = new DestinationChange();
    UPDATE.read(body, reading, draft);
    Json.Obj sent = body.object("config");
    Json.Obj real =
        type == null || sent == null ? body : body.with("config", type.withoutMasks(sent));
    draft.config = config(real, DestinationConfigs.changes(type), reading);
    return reading.found() == before ? draft.finish() : null;
  }

  /** Reads the config, after the type is known, since the type may come later in the body. */
  private static Json.Obj config(Json.Obj body, Rule<Json.Obj> rule, DecodingContext reading) {
    Json given = body.get("config");
    if (given == null) {
      return Json.Obj.EMPTY;
    }
    reading.enter("config");
    Json.Obj config =
        given instanceof Json.Obj ? rule.read(given, reading) : rule.secret().read(given, reading);
    reading.leave();
    return config == null ? Json.Obj.EMPTY : config.detached();
  }
}
