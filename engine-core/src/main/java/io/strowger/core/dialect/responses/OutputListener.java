package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** Receives the events of an output in progress. Called by one thread. */
interface OutputListener {
  /** The listener of an output that is not streamed. */
  OutputListener NO_OP =
      new OutputListener() {
        @Override
        public void onEvent(String type, Json.Obj members) {}

        @Override
        public void onText(ItemText itemText, Json.Str text, Json.Arr logprobs) {}

        @Override
        public void onUpstreamFrame(Json.Obj frame, int outputIndex, Json.@Nullable Str delta) {}
      };

  /**
   * Called for an event of the output.
   *
   * @param members the event's members except its type and sequence number
   */
  void onEvent(String type, Json.Obj members);

  /**
   * Called when text was appended.
   *
   * @param logprobs the log probabilities of the text's tokens; empty when unknown
   */
  void onText(ItemText itemText, Json.Str text, Json.Arr logprobs);

  /**
   * Called instead of {@link #onEvent} and {@link #onText} when a frame of the upstream is passed
   * on.
   *
   * @param outputIndex the index of the frame's item in this output; -1 when the frame concerns no
   *     item
   * @param delta the text to write instead of the frame's delta; null to keep the frame's
   */
  void onUpstreamFrame(Json.Obj frame, int outputIndex, Json.@Nullable Str delta);
}
