package io.strowger.core.meter;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * Estimates the tokens of a prompt for a caller that wants to know them before sending it. Four
 * bytes of text count as a token; media count at a usual size. Not a bound and never used for
 * money; {@link PromptSize} is the bound.
 */
public final class PromptEstimate {
  private static final int BYTES_PER_TOKEN = 4;
  private static final int PER_MESSAGE = 4;
  private static final int PER_IMAGE = 1_600;
  private static final int PER_FILE = 3_000;

  private PromptEstimate() {}

  /** Returns the estimate in tokens; at least 1. */
  public static long tokens(InferenceRequest request) {
    long text = PromptSize.of(request).bytes();
    long tokens = (text + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
    for (Message message : request.messages()) {
      tokens += PER_MESSAGE + media(message.parts());
    }
    return Math.max(1, tokens);
  }

  private static long media(List<Part> parts) {
    long tokens = 0;
    for (Part part : parts) {
      tokens +=
          switch (part) {
            case Part.Image p -> PER_IMAGE;
            case Part.Audio p -> PER_FILE;
            case Part.Video p -> PER_FILE;
            case Part.File p -> PER_FILE;
            case Part.ToolResult result -> media(result.content());
            case Part.Text p -> 0;
            case Part.ToolCall p -> 0;
            case Part.Thinking p -> 0;
            case Part.Refusal p -> 0;
            case Part.Citation p -> 0;
            case Part.Logprobs p -> 0;
            case Part.ServerToolRun p -> 0;
            case Part.Unknown p -> 0;
          };
    }
    return tokens;
  }
}
