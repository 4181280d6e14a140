package io.strowger.core.batch;

import io.strowger.core.decode.Problems;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Counts;
import io.strowger.spi.store.BatchStore.Phase;
import io.strowger.spi.store.BatchStore.UsageAndCost;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.KeyId;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A batch as it is stored, with methods for its next versions and its JSON form. The table below
 * lists the members of its row's body. Contract: "Batch"; answers fact sheet, "batch object".
 * Immutable.
 *
 * <table>
 * <caption>The body of its row</caption>
 * <tr><th>member</th><th>holds</th></tr>
 * <tr><td>{@code key}</td><td>the id of the key that created it</td></tr>
 * <tr><td>{@code endpoint}, {@code model}</td><td>as in the request</td></tr>
 * <tr><td>{@code allow_fallbacks}</td><td>from its {@code provider}; only when false</td></tr>
 * <tr><td>{@code provider}</td><td>slug of the one provider that answers it, once chosen</td></tr>
 * <tr><td>{@code least}</td><td>{@code credits} and {@code own_keys}, in billionths of a dollar:
 * with less left, none of its requests can be paid</td></tr>
 * <tr><td>{@code expires_at}, {@code finalized_at}</td><td>Unix seconds, the latter once
 * over</td></tr>
 * <tr><td>{@code error}</td><td>why it failed, or is cancelled</td></tr>
 * <tr><td>{@code figures}</td><td>the sum over its results, once finished</td></tr>
 * <tr><td>{@code expired}</td><td>true when it expired before every request had a result</td></tr>
 * <tr><td>{@code emptied}</td><td>true when its requests and results were removed</td></tr>
 * </table>
 */
public final class SavedBatch {
  private final Batch row;

  SavedBatch(Batch row) {
    this.row = row;
  }

  /**
   * Returns the first version of a batch, before its requests are received.
   *
   * @param abandonedAt when the upload is abandoned if it is still incomplete
   */
  static Batch newReceiving(
      String id, String workspace, KeyId key, Instant createdAt, Instant abandonedAt) {
    return new Batch(
        id,
        workspace,
        Phase.RECEIVING,
        BatchStatus.RECEIVING.wireName(),
        createdAt,
        abandonedAt,
        1,
        Counts.NONE,
        Json.object().put("key", key.hex()).build());
  }

  Batch row() {
    return row;
  }

  public String id() {
    return row.id();
  }

  public BatchStatus status() {
    return BatchStatus.of(row.status());
  }

  public Counts counts() {
    return row.counts();
  }

  /** Returns whether its requests and results were removed, or are about to be. */
  public boolean isRemoved() {
    return row.phase() == Phase.REMOVED;
  }

  /** Returns the id of the key that created it. */
  KeyId key() {
    return KeyId.of(HexFormat.of().parseHex(text("key")));
  }

  public BatchEndpoint endpoint() {
    return BatchEndpoint.forPath(text("endpoint")).orElseThrow();
  }

  public String model() {
    return text("model");
  }

  /** Returns the slug of the provider that answers it; null when none was chosen. */
  public @Nullable String provider() {
    return row.body().text("provider");
  }

  /**
   * Returns a request's preferences, restricted to the provider that was chosen for the batch.
   *
   * @throws io.strowger.spi.error.GatewayException 400 when the request excludes that provider
   */
  ProviderPreferences withBatchProvider(ProviderPreferences preferences) {
    String batchProvider = provider();
    ProviderPreferences.Builder builder = preferences.toBuilder();
    if (batchProvider != null) {
      builder.only(restrict(preferences, List.of(batchProvider)));
    }
    return Json.FALSE.equals(row.body().get("allow_fallbacks"))
        ? builder.allowFallbacks(false).build()
        : builder.build();
  }

  /**
   * Returns those of a request's own providers that are among the given slugs; a name with a slash
   * names an endpoint of the provider before the slash.
   */
  static List<String> restrict(ProviderPreferences preferences, List<String> slugs) {
    List<String> only = preferences.only();
    if (only == null) {
      return slugs;
    }
    List<String> allowed =
        only.stream()
            .filter(name -> slugs.contains(name) || slugs.contains(providerOf(name)))
            .toList();
    if (allowed.isEmpty()) {
      throw GatewayError.of(
              ErrorCode.INVALID_REQUEST,
              List.of(
                  new Problem(
                      JsonPointer.ROOT.child("provider").child("only"),
                      "must be absent or name the provider of the batch: "
                          + String.join(" or ", slugs),
                      Problems.displayText(Json.strings(only)))))
          .toException();
    }
    return allowed;
  }

  private static String providerOf(String name) {
    int slash = name.indexOf('/');
    return slash < 0 ? name : name.substring(0, slash);
  }

  /** Returns the least budget that can pay one of its requests; null when it is not known. */
  @Nullable Charge minBudget() {
    return row.body().object("least") instanceof Json.Obj least
        ? new Charge(new Usd(number(least, "credits")), new Usd(number(least, "own_keys")))
        : null;
  }

  Instant expiresAt() {
    return Instant.ofEpochSecond(number("expires_at"));
  }

  boolean isContentDeleted() {
    return Json.TRUE.equals(row.body().get("emptied"));
  }

  /** Returns the amount billed beyond what was held, for all requests together. */
  public Usd overrun() {
    return row.body().object("figures") instanceof Json.Obj figures
        ? new Usd(number(figures, "overrun"))
        : Usd.ZERO;
  }

  private String text(String member) {
    return Objects.requireNonNull(row.body().text(member), member);
  }

  private long number(String member) {
    return number(row.body(), member);
  }

  private static long number(Json.Obj object, String member) {
    return object.get(member) instanceof Json.Num number ? number.decimal().longValue() : 0;
  }

  /**
   * The result of pricing the requests of a batch.
   *
   * @param provider the slug of the provider that answers it; null when none was chosen
   * @param minBudget the least budget that can pay one of its requests; null when none was priced
   */
  record PricingResult(@Nullable String provider, @Nullable Charge minBudget) {}

  /** Returns the version in which all requests are received and are about to be checked. */
  Batch received(BatchCreate head, PricingResult pricing, int total) {
    Instant expires = row.createdAt().plus(BatchCreate.COMPLETION_WINDOW);
    Json.Obj.Builder body =
        Json.object()
            .put("key", text("key"))
            .put("endpoint", head.endpoint().path())
            .put("model", head.model().toString())
            .put("expires_at", expires.getEpochSecond());
    if (!head.provider().allowFallbacks()) {
      body.put("allow_fallbacks", false);
    }
    if (pricing.provider() != null) {
      body.put("provider", pricing.provider());
    }
    if (pricing.minBudget() != null) {
      body.put(
          "least",
          Json.object()
              .put("credits", pricing.minBudget().credits().nanos())
              .put("own_keys", pricing.minBudget().byokCost().nanos())
              .build());
    }
    return transition(BatchStatus.VALIDATING, expires, body.build()).withTotal(total);
  }

  /** Returns the version in which its requests are leased to workers. */
  Batch inProgress() {
    return transition(BatchStatus.IN_PROGRESS, expiresAt(), row.body());
  }

  /**
   * Returns the version in which its results are added up.
   *
   * @param expired whether it expired before every request had a result
   */
  Batch finalizing(boolean expired) {
    Json.Obj body = expired ? row.body().with("expired", Json.TRUE) : row.body();
    return transition(BatchStatus.FINALIZING, row.dueAt(), body);
  }

  boolean isExpired() {
    return Json.TRUE.equals(row.body().get("expired"));
  }

  /** Returns the version in which requests without a result are abandoned. */
  Batch cancelling(String message) {
    return transition(
        BatchStatus.CANCELLING, row.dueAt(), row.body().with("error", Json.of(message)));
  }

  /**
   * Returns the version in which it is finished.
   *
   * @param retentionEnd when its requests and results are removed
   */
  Batch toTerminal(
      BatchStatus status, UsageAndCost usageAndCost, Instant at, Instant retentionEnd) {
    Json.Obj sum =
        Json.object()
            .put("prompt", usageAndCost.promptTokens())
            .put("completion", usageAndCost.completionTokens())
            .put("cached", usageAndCost.cachedTokens())
            .put("reasoning", usageAndCost.reasoningTokens())
            .put("billed", usageAndCost.billedNanoUsd())
            .put("overrun", usageAndCost.overrunNanoUsd())
            .put("byok", usageAndCost.byokRequests())
            .build();
    Json.Obj body =
        row.body().with("figures", sum).with("finalized_at", Json.of(at.getEpochSecond()));
    return transition(status, retentionEnd, body);
  }

  /** Returns the version in which it has failed. */
  Batch failed(String message, Instant at, Instant retentionEnd) {
    Json.Obj body =
        row.body()
            .with("error", Json.of(message))
            .with("finalized_at", Json.of(at.getEpochSecond()));
    return transition(BatchStatus.FAILED, retentionEnd, body);
  }

  /** Returns the version in which it is removed and can no longer be read. */
  Batch removed(Instant now) {
    return row.next(Phase.REMOVED, row.status(), now, row.body());
  }

  /**
   * Returns the removed version without requests and results; only its row is left.
   *
   * @param forgottenAt when the row is removed, too
   */
  Batch withoutContents(Instant forgottenAt) {
    return row.next(
        Phase.REMOVED, row.status(), forgottenAt, row.body().with("emptied", Json.TRUE));
  }

  private Batch transition(BatchStatus status, Instant due, Json.Obj body) {
    return row.next(status.phase(), status.wireName(), due, body);
  }

  /** Returns the batch as JSON for callers, without results. Contract: "Batch". */
  public Json.Obj toJson() {
    Json.Obj.Builder json =
        Json.object()
            .put("id", row.id())
            .put("object", "batch")
            .put("endpoint", text("endpoint"))
            .put("model", model())
            .put("completion_window", "24h")
            .put("status", row.status())
            .put("created_at", row.createdAt().getEpochSecond())
            .put("finalized_at", orNull("finalized_at"))
            .put("expires_at", number("expires_at"))
            .putOrNull("provider", provider())
            .put("request_counts", countsJson())
            .put("usage", usage());
    String message = row.body().text("error");
    return json.put(
            "error", message == null ? Json.NULL : Json.object().put("message", message).build())
        .build();
  }

  /**
   * Returns the JSON of a batch whose bill cannot be paid in full. Resources fact sheet, section 6.
   */
  public Json.Obj toUnpaidJson(GatewayError error) {
    Json.Obj errorJson =
        Json.object().put("code", error.code().status()).put("message", error.message()).build();
    return toJson().with("results", Json.NULL).with("error", errorJson);
  }

  private Json orNull(String member) {
    return row.body().get(member) instanceof Json.Num number ? number : Json.NULL;
  }

  private Json.Obj countsJson() {
    return Json.object()
        .put("total", row.counts().total())
        .put("completed", row.counts().completed())
        .put("failed", row.counts().failed())
        .build();
  }

  private Json usage() {
    if (!(row.body().object("figures") instanceof Json.Obj sum)) {
      return Json.NULL;
    }
    long prompt = number(sum, "prompt");
    long completion = number(sum, "completion");
    Json.Obj details =
        Json.object()
            .put("cached_tokens", number(sum, "cached"))
            .put("reasoning_tokens", number(sum, "reasoning"))
            .build();
    return Json.object()
        .put("prompt_tokens", prompt)
        .put("completion_tokens", completion)
        .put("total_tokens", prompt + completion)
        .put("cost", new Usd(number(sum, "billed")).json())
        .put("is_byok", number(sum, "byok") > 0)
        .put("details", details)
        .build();
  }

  /** Returns id, status and version; the body may be private. */
  @Override
  public String toString() {
    return row.toString();
  }
}
