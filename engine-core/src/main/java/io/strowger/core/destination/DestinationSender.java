package io.strowger.core.destination;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request to a destination and returns the result. Follows no redirect, since its target
 * was not configured. Safe on any thread.
 */
final class DestinationSender {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration SILENCE = Duration.ofSeconds(10);

  /** The longest time to read the body of an answer. */
  private static final Duration ANSWER = Duration.ofSeconds(20);

  /**
   * The longest time for a whole exchange. A destination that reads nothing, or sends its head one
   * byte at a time, never exceeds the limit on silence.
   */
  static final Duration EXCHANGE = Duration.ofSeconds(60);

  /** The longest Retry-After that is respected. */
  private static final Duration LONGEST_RETRY_AFTER = Duration.ofDays(1);

  private static final int ANSWER_BYTES = 64 << 10;

  private final Transport transport;
  private final Ambient ambient;

  DestinationSender(Transport transport, Ambient ambient) {
    this.transport = transport;
    this.ambient = ambient;
  }

  /** The result of a request. */
  sealed interface Sent {
    /**
     * There was an answer.
     *
     * @param body the beginning of its body
     * @param retryAfter how long the destination asks to wait; null when it does not say
     */
    record Answered(int status, byte[] body, @Nullable Duration retryAfter) implements Sent {
      boolean isSuccess() {
        return status / 100 == 2;
      }

      boolean isWorthAnotherTry() {
        return status == 408 || status == 429 || status / 100 == 5;
      }
    }

    /**
     * There was no answer.
     *
     * @param why the reason, without the address
     */
    record Unanswered(String why) implements Sent {}
  }

  /**
   * Sends a request and waits for its result, at most {@link #EXCHANGE}.
   *
   * @param destination the destination's id; its connections are not shared with others
   * @param cancellation ends the exchange when it trips
   */
  Sent send(ExportRequest request, String destination, Cancellation cancellation) {
    Thread deadline = ambient.start("destination-deadline", () -> endInTime(cancellation));
    try {
      return exchanged(request, destination, cancellation);
    } finally {
      deadline.interrupt();
    }
  }

  private void endInTime(Cancellation cancellation) {
    try {
      ambient.sleep(EXCHANGE);
      cancellation.cancel(Cancellation.Cause.TOTAL);
    } catch (InterruptedException over) {
      // in time
    }
  }

  private Sent exchanged(ExportRequest request, String destination, Cancellation cancellation) {
    var body = JsonOutput.splicing(16);
    body.bytes(request.body());
    try (Transport.Response response =
        transport.send(
            new Transport.Request(
                request.method(),
                request.uri(),
                request.headers(),
                request.contentType(),
                body,
                CONNECT,
                SILENCE,
                "destination " + destination,
                cancellation))) {
      return new Sent.Answered(
          response.status(),
          body(response),
          retryAfter(response.header("Retry-After"), ambient.now()));
    } catch (Transport.AddressRefusedException refused) {
      return new Sent.Unanswered(
          "the address may not be connected to: the network rules allow no address of it");
    } catch (IOException failed) {
      // the message may name the host, and an address may hold a key
      return new Sent.Unanswered("no answer (" + failed.getClass().getSimpleName() + ")");
    }
  }

  /**
   * Returns the beginning of the body; empty when the connection breaks off. Only the status
   * decides: a request that succeeded must not be sent again.
   */
  private byte[] body(Transport.Response response) {
    try {
      byte[] beginning = beginning(response.body());
      if (beginning.length < ANSWER_BYTES) {
        response.finish();
      }
      return beginning;
    } catch (IOException broken) {
      return new byte[0];
    }
  }

  private byte[] beginning(InputStream body) throws IOException {
    long until = ambient.nanoTime() + ANSWER.toNanos();
    var read = new ByteArrayOutputStream();
    byte[] piece = new byte[4096];
    while (read.size() < ANSWER_BYTES && ambient.nanoTime() - until < 0) {
      int count = body.read(piece, 0, Math.min(piece.length, ANSWER_BYTES - read.size()));
      if (count < 0) {
        break;
      }
      read.write(piece, 0, count);
    }
    return read.toByteArray();
  }

  /** Parses seconds or an HTTP date; returns at most a day, null when it is neither. */
  static @Nullable Duration retryAfter(@Nullable String header, Instant now) {
    if (header == null) {
      return null;
    }
    String text = header.strip();
    try {
      if (text.matches("[0-9]{1,9}")) {
        return bounded(Duration.ofSeconds(Long.parseLong(text)));
      }
      Instant at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return at.isBefore(now) ? Duration.ZERO : bounded(Duration.between(now, at));
    } catch (DateTimeException neither) {
      return null;
    }
  }

  private static Duration bounded(Duration wish) {
    return wish.compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : wish;
  }
}
