package io.strowger.core.upstream;

import io.strowger.core.decode.Problems;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.UnaryRequest;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UpstreamException;
import org.jspecify.annotations.Nullable;

/**
 * What the engine knows of one kind of request whose answer comes whole. Immutable, safe on any
 * thread.
 *
 * @param <R> the requests of the kind
 */
interface UnaryCodec<R extends UnaryRequest> {
  /**
   * An answer as it is passed on.
   *
   * @param document in the words of the contract, without its usage
   * @param usage what it used; null when nobody knows
   */
  record Judged(Json.Obj document, @Nullable Usage usage) {}

  /**
   * Reads a request; null when there is something wrong with it.
   *
   * @param upload the file that came with it; null when none did
   */
  @Nullable R decode(Json.Obj members, @Nullable UploadedFile upload, Problems problems);

  /** What is said of a request that cannot be read after a content filter changed its words. */
  default String nothingLeft() {
    return "what is left of the request asks for nothing";
  }

  /**
   * Judges what an upstream gave, for all adapters alike.
   *
   * @param pricing of the endpoint, for what has to be counted in place of the upstream
   * @throws UpstreamException when it is no answer to the request
   */
  Judged judge(UnaryAnswer answer, R request, Pricing pricing) throws UpstreamException;

  /** Returns a failure of the upstream: what it gave is no answer. */
  static UpstreamException protocol(String message) {
    return new UpstreamException(Failure.of(FailureKind.PROTOCOL, message));
  }
}
