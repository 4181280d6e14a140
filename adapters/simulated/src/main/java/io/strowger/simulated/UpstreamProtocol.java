package io.strowger.simulated;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One dialect, as a simulated upstream speaks it. How an answer goes wrong and when is not its
 * affair: it says what the pieces of an answer look like, and what nonsense would.
 *
 * <p>Threads: any number at once; it keeps nothing of a request.
 */
interface UpstreamProtocol {

  /**
   * What has to be known of a request before it can be answered; all of it that shows in the
   * answer's bytes, besides the script.
   *
   * @param model empty when it named none
   * @param usageWanted the request asks for usage in a stream; true in dialects that always give it
   * @param detail whatever else shows, in the words of the dialect's own voice
   */
  record Asked(String model, boolean streaming, boolean usageWanted, String detail) {
    /** Of a dialect in which nothing else shows. */
    Asked(String model, boolean streaming, boolean usageWanted) {
      this(model, streaming, usageWanted, "");
    }
  }

  /** An answer, in pieces each of which goes out as one: frames as they are on the wire. */
  interface Spoken {
    /** The media type of a stream. */
    default String contentType() {
      return "text/event-stream";
    }

    /** The answer as one document. */
    Json.Obj document();

    /** What a stream begins with, up to its text; empty when it begins with that. */
    List<byte[]> opening();

    /** A frame for each piece of the text. */
    List<byte[]> text();

    /** The calls, and whatever else comes behind the text before the end. */
    List<byte[]> calls();

    /** Why the answer ended, what it used, and the last frame; empty when nothing says so. */
    List<byte[]> ending();
  }

  /** Null for a request of another dialect, told by its path, or one nobody could answer. */
  @Nullable Asked parseRequest(ReceivedRequest request);

  Spoken answer(Script script, Asked asked);

  /** What keeps a stream open and says nothing. */
  byte[] keepAlive();

  /** A frame that breaks off inside its JSON. */
  byte[] broken();

  /** A frame that reports an error in a stream. */
  byte[] error(String json);

  /**
   * An event of a stream.
   *
   * @param name null where the dialect's events have none
   */
  static byte[] frame(@Nullable String name, Json.Obj json) {
    var out = new JsonOutput(512);
    if (name != null) {
      out.ascii("event: " + name + "\n");
    }
    out.ascii("data: ");
    json.writeTo(out);
    out.ascii("\n\n");
    return out.toByteArray();
  }
}
