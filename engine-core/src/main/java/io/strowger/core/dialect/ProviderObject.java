package io.strowger.core.dialect;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.map;
import static io.strowger.core.decode.Rules.nameOrEmpty;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.PercentilePreferences;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.routing.ProviderSort.Partition;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rule for {@code provider}, a closed object. Contract: "Provider preferences"; provider
 * routing fact sheet, section 1.
 *
 * <p>Lists of providers are lenient: an unknown name matches nothing. The objects in {@code
 * max_price}, {@code sort} and the cutoffs may have unknown members.
 */
public final class ProviderObject {
  private static final Rule<List<String>> NAMES = list(nameOrEmpty());
  private static final Rule<UnitPrice> PER_MILLION = FixedPointAmounts.price(6);
  private static final Rule<UnitPrice> PER_ITEM = FixedPointAmounts.price(12);
  private static final Rule<Long> CUTOFF = FixedPointAmounts.atLeastZero(6);
  private static final Rule<String> SORT_KEY =
      wordAmong("price", "throughput", "latency", "exacto");

  private static final Rule<PriceCaps> MAX_PRICE =
      MemberTable.<PriceCapsBuilder>table()
          .optional("prompt", PER_MILLION, (caps, price) -> caps.prompt = price)
          .optional("completion", PER_MILLION, (caps, price) -> caps.completion = price)
          .optional("image", PER_ITEM, (caps, price) -> caps.image = price)
          .optional("audio", PER_ITEM, (caps, price) -> caps.audio = price)
          .optional("request", PER_ITEM, (caps, price) -> caps.request = price)
          .as(PriceCapsBuilder::new, PriceCapsBuilder::build);

  private static final Rule<ProviderSort> SORT =
      ByJsonType.<ProviderSort>of("must be a string or an object")
          .string(SORT_KEY.to(key -> new ProviderSort(sortKey(key), Partition.MODEL)))
          .object(
              members()
                  .optional("by", SORT_KEY.orNull())
                  .optional("partition", wordAmong("model", "none").orNull())
                  .as(ProviderObject::sort));

  private static final Rule<PercentilePreferences> CUTOFFS =
      ByJsonType.<PercentilePreferences>of("must be a number or an object of p50, p75, p90, p99")
          .number(CUTOFF.to(median -> new PercentilePreferences(median, null, null, null)))
          .object(
              MemberTable.<PercentilesBuilder>table()
                  .optional("p50", CUTOFF.orNull(), (cutoffs, value) -> cutoffs.p50 = value)
                  .optional("p75", CUTOFF.orNull(), (cutoffs, value) -> cutoffs.p75 = value)
                  .optional("p90", CUTOFF.orNull(), (cutoffs, value) -> cutoffs.p90 = value)
                  .optional("p99", CUTOFF.orNull(), (cutoffs, value) -> cutoffs.p99 = value)
                  .as(PercentilesBuilder::new, PercentilesBuilder::build));

  public static final Rule<ProviderPreferences> RULE =
      table().as(ProviderPreferences::builder, ProviderPreferences.Builder::build);

  /**
   * Like {@link #RULE}, but also allows {@code options}, which has an object for each provider slug
   * and is only kept in the document.
   */
  public static final Rule<ProviderPreferences> WITH_OPTIONS =
      table()
          .optional("options", map(object()))
          .as(ProviderPreferences::builder, ProviderPreferences.Builder::build);

  private ProviderObject() {}

  private static MemberTable.Builder<ProviderPreferences.Builder> table() {
    return MemberTable.<ProviderPreferences.Builder>table()
        .closed("is not a member of provider")
        .optional(
            "allow_fallbacks",
            bool().orNull(),
            (provider, value) -> provider.allowFallbacks(value.value()))
        .optional(
            "data_collection",
            wordAmong("deny", "allow").orNull(),
            (provider, value) -> provider.denyDataCollection(value.equals("deny")))
        .optional(
            "enforce_distillable_text",
            bool().orNull(),
            (provider, value) -> provider.enforceDistillableText(value.value()))
        .optional("ignore", NAMES.orNull(), ProviderPreferences.Builder::ignore)
        .optional("only", NAMES.orNull(), ProviderPreferences.Builder::only)
        .optional("order", NAMES.orNull(), ProviderPreferences.Builder::order)
        .optional("max_price", MAX_PRICE, ProviderPreferences.Builder::maxPrice)
        .optional(
            "preferred_max_latency",
            CUTOFFS.orNull(),
            ProviderPreferences.Builder::preferredMaxLatency)
        .optional(
            "preferred_min_throughput",
            CUTOFFS.orNull(),
            ProviderPreferences.Builder::preferredMinThroughput)
        .optional(
            "quantizations",
            list(wordAmong(
                    "int4", "int8", "fp4", "mxfp4", "nvfp4", "fp6", "fp8", "mxfp8", "fp16", "bf16",
                    "fp32", "unknown"))
                .orNull(),
            ProviderPreferences.Builder::quantizations)
        .optional(
            "require_parameters",
            bool().orNull(),
            (provider, value) -> provider.requireParameters(value.value()))
        .optional("sort", SORT.orNull(), ProviderPreferences.Builder::sort)
        .optional("zdr", bool().orNull(), (provider, value) -> provider.zdr(value.value()));
  }

  private static ProviderSort sort(Json.Obj sort) {
    String by = sort.text("by");
    return new ProviderSort(
        by == null ? null : sortKey(by),
        "none".equals(sort.text("partition")) ? Partition.NONE : Partition.MODEL);
  }

  private static ProviderSort.Key sortKey(String word) {
    return ProviderSort.Key.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static final class PriceCapsBuilder {
    @Nullable UnitPrice prompt;
    @Nullable UnitPrice completion;
    @Nullable UnitPrice image;
    @Nullable UnitPrice audio;
    @Nullable UnitPrice request;

    PriceCaps build() {
      return new PriceCaps(prompt, completion, image, audio, request);
    }
  }

  private static final class PercentilesBuilder {
    @Nullable Long p50;
    @Nullable Long p75;
    @Nullable Long p90;
    @Nullable Long p99;

    PercentilePreferences build() {
      return new PercentilePreferences(p50, p75, p90, p99);
    }
  }
}
