package io.strowger.core.batch;

import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.inference.PriceQuotes.Quote;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Request;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives a batch: its requests are checked, priced and stored as they arrive, so that only a few
 * of them are in memory at a time. The batch is not visible until it is complete and valid. An
 * upload must be closed, which removes its requests unless the batch was created. For one thread.
 * Contract: "createBatches"; open questions 20, 78.
 */
public final class BatchUpload implements AutoCloseable {
  private static final int MAX_WAITING_REQUESTS = 200;
  private static final int MAX_WAITING_BYTES = 256 << 10;
  private static final ProviderSort CHEAPEST =
      new ProviderSort(ProviderSort.Key.PRICE, ProviderSort.Partition.MODEL);

  private final Batches batches;
  private final Caller caller;
  private final BatchDecoder decoder;
  private final Problems problems;
  private final Problems shapeProblems;
  private final List<Request> waitingRequests = new ArrayList<>();
  private Batch row;
  private List<String> allowedProviders = List.of();
  private Charge maxCharge = Charge.ZERO;
  private @Nullable Charge minBudget; // the smallest of any request; null when none was priced
  private @Nullable String provider;
  private @Nullable GatewayError unservedError; // of the first request that no endpoint can answer
  private int waitingBytes;
  private boolean rowStored; // the row is in the store
  private boolean created;

  BatchUpload(Batches batches, Caller caller, Batch row, BatchDecoder decoder, Problems problems) {
    this.batches = batches;
    this.caller = caller;
    this.row = row;
    this.decoder = decoder;
    this.problems = problems;
    this.shapeProblems = problems.newEmpty();
  }

  /**
   * Begins the requests of the batch.
   *
   * @param leadingMembers the members before the requests; errors in them are reported at the end
   */
  public void begin(Json.Obj leadingMembers) {
    decoder.begin(leadingMembers);
    Json.Obj preferences = leadingMembers.object("provider");
    Json.Arr slugs = preferences == null ? null : preferences.list("only");
    if (slugs != null) {
      allowedProviders =
          slugs.stream()
              .filter(Json.Str.class::isInstance)
              .map(slug -> ((Json.Str) slug).text())
              .toList();
    }
  }

  /**
   * Receives the next request.
   *
   * @throws GatewayException 413 when the store has no room for it, 400 when the batch has too many
   *     requests
   */
  public void addRequest(Json json) {
    if (decoder.isFull()) {
      throw BatchRefusal.malformed(decoder.tooManyRequests()).toException(); // the rest is not read
    }
    int index = decoder.count();
    BatchCreate.Item item = decoder.decodeRequest(json);
    BatchEndpoint endpoint = decoder.endpoint();
    String model = decoder.model();
    if (item == null || endpoint == null || model == null) {
      return;
    }
    BatchShapes.check(endpoint, index, item.body(), shapeProblems);
    if (!decoder.isValid() || !shapeProblems.isEmpty()) {
      return; // the batch will be refused: further requests are only checked
    }
    byte[] body = item.body().with("model", Json.of(model)).toBytes();
    price(endpoint, body);
    if (unservedError == null) {
      enqueue(new Request(index, item.customId(), body));
    }
  }

  /** Prices a request. An invalid request is not priced: it fails the batch during validation. */
  private void price(BatchEndpoint endpoint, byte[] body) {
    if (unservedError != null) {
      return;
    }
    InferenceRequest request = tryRead(endpoint, body);
    if (request == null) {
      return;
    }
    try {
      Quote quote = batches.quotes().of(caller, request);
      provider = provider == null ? quote.provider() : provider;
      maxCharge = maxCharge.plus(quote.maxCharge());
      minBudget = minBudget == null ? quote.minBudget() : minBudget.min(quote.minBudget());
    } catch (GatewayException e) {
      unservedError = e.error();
    }
  }

  private @Nullable InferenceRequest tryRead(BatchEndpoint endpoint, byte[] body) {
    try {
      return batches.requestHandler().read(caller, endpoint, body, this::withCheapestProvider);
    } catch (GatewayException e) {
      return null;
    }
  }

  /** Returns preferences for the cheapest provider, or for the one chosen for the first request. */
  private ProviderPreferences withCheapestProvider(ProviderPreferences preferences) {
    String chosenProvider = provider;
    if (chosenProvider != null) {
      return preferences.toBuilder()
          .only(SavedBatch.restrict(preferences, List.of(chosenProvider)))
          .build();
    }
    ProviderPreferences.Builder cheapest = preferences.toBuilder().order(List.of()).sort(CHEAPEST);
    return allowedProviders.isEmpty()
        ? cheapest.build()
        : cheapest.only(SavedBatch.restrict(preferences, allowedProviders)).build();
  }

  private void enqueue(Request request) {
    waitingRequests.add(request);
    waitingBytes += request.body().length;
    if (waitingRequests.size() >= MAX_WAITING_REQUESTS || waitingBytes >= MAX_WAITING_BYTES) {
      flush();
    }
  }

  private void flush() {
    if (waitingRequests.isEmpty()) {
      return;
    }
    if (!rowStored) {
      rowStored = true;
      if (!batches.store().add(row)) {
        throw GatewayError.of(ErrorCode.CONFLICT).toException();
      }
    }
    try {
      batches.store().addRequests(row.id(), List.copyOf(waitingRequests));
    } catch (StoreRefusedException e) {
      throw GatewayError.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              ErrorCode.PAYLOAD_TOO_LARGE.message() + ": " + e.getMessage())
          .toException();
    }
    waitingRequests.clear();
    waitingBytes = 0;
  }

  /**
   * Ends the upload and creates the batch.
   *
   * @param body the members of the body; the items of {@code requests} are ignored
   * @throws GatewayException 400 or 422 when the batch is invalid, 402 or 403 when its price cannot
   *     be paid now, 429 when too many batches are unfinished, or any other error with which an
   *     inference request is refused
   */
  public SavedBatch create(Json.Obj body) {
    BatchCreate head = decoder.end(body);
    if (head == null) {
      throw BatchRefusal.malformed(problems).toException();
    }
    if (!shapeProblems.isEmpty()) {
      throw BatchRefusal.unusable(shapeProblems).toException();
    }
    throwIfUnserved();
    GatewayError shortfall = batches.quotes().shortfall(caller, maxCharge);
    if (shortfall != null) {
      throw shortfall.toException();
    }
    batches.checkUnfinishedLimit(caller.workspace());
    flush();
    var receiving = new SavedBatch(row);
    Batch received =
        receiving.received(
            head, new SavedBatch.PricingResult(provider, minBudget), decoder.count());
    if (!batches.store().replace(received)) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException(); // it took too long and was abandoned
    }
    created = true;
    batches.wake();
    return new SavedBatch(received);
  }

  /**
   * Throws the error of the first request that no endpoint can answer, if any. Open question 20.
   */
  private void throwIfUnserved() {
    GatewayError error = unservedError;
    if (error == null) {
      return;
    }
    throw (error.code() == ErrorCode.WRONG_ENDPOINT || error.code() == ErrorCode.NO_ENDPOINTS
            ? GatewayError.of(
                ErrorCode.UNPROCESSABLE, ErrorCode.UNPROCESSABLE.message() + ": " + error.message())
            : error)
        .toException();
  }

  @Override
  public void close() {
    if (!rowStored || created) {
      return;
    }
    try {
      Batch removed = new SavedBatch(row).removed(batches.ambient().now());
      if (batches.store().replace(removed)) {
        batches.removeContent(row.id(), true);
      }
    } catch (StoreUnavailableException e) {
      // the next step of the batch removes the requests once the batch is due
    }
  }
}
