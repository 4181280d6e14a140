package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** Hears how an output comes to be, step by step. For one thread. */
interface OutputListener {
  /** For an output nobody watches. */
  OutputListener NOBODY =
      new OutputListener() {
        @Override
        public void onEvent(String type, Json.Obj members) {}

        @Override
        public void onText(ItemPiece piece, Json.Str text, Json.Arr logprobs) {}

        @Override
        public void onUpstreamFrame(Json.Obj frame, int outputIndex, Json.@Nullable Str delta) {}
      };

  /**
   * Something happened.
   *
   * @param members all but the type and the number
   */
  void onEvent(String type, Json.Obj members);

  /**
   * More of a piece.
   *
   * @param logprobs of the tokens of this text; empty when nobody said
   */
  void onText(ItemPiece piece, Json.Str text, Json.Arr logprobs);

  /**
   * An upstream's own event.
   *
   * @param outputIndex where its item stands here; -1 when it is about none
   * @param delta what it says instead; null when it says what it said
   */
  void onUpstreamFrame(Json.Obj frame, int outputIndex, Json.@Nullable Str delta);
}
