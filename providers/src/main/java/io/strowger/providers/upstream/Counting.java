package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.UpstreamFailure;
import java.net.URI;

/**
 * How a dialect asks for the number of tokens of a prompt. The headers are those of any call.
 *
 * <p>Threads: any number at once; it keeps nothing of a call.
 */
public interface Counting {
  /** Where the question goes. */
  URI uri();

  /** What is sent: the prompt as it would be sent for an answer, and nothing about the answer. */
  JsonOutput body(Call call);

  /**
   * The count in a document with status 200, in tokens; whatever number it says.
   *
   * @throws UpstreamFailure PROTOCOL when it says none
   */
  long tokens(Json.Obj document) throws UpstreamFailure;
}
