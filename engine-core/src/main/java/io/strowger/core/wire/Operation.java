package io.strowger.core.wire;

import io.strowger.core.account.Access;

/** What a method on a path does, and for whom. Contract: "Endpoints"; resources fact sheet, 1. */
enum Operation {
  HEALTH(Access.ANY),

  CHAT(Access.INFERENCE),
  MESSAGES(Access.INFERENCE),
  RESPONSES(Access.INFERENCE),
  EMBEDDINGS(Access.INFERENCE),
  SPEECH(Access.INFERENCE),

  CREATE_BATCH(Access.INFERENCE),
  LIST_BATCHES(Access.INFERENCE),
  GET_BATCH(Access.INFERENCE),
  DELETE_BATCH(Access.INFERENCE),

  CREATE_KEY(Access.MANAGEMENT),
  LIST_KEYS(Access.MANAGEMENT),
  GET_KEY(Access.MANAGEMENT),
  UPDATE_KEY(Access.MANAGEMENT),
  DELETE_KEY(Access.MANAGEMENT),
  CURRENT_KEY(Access.ANY),

  CREATE_OWN_KEY(Access.MANAGEMENT),
  LIST_OWN_KEYS(Access.MANAGEMENT),
  GET_OWN_KEY(Access.MANAGEMENT),
  UPDATE_OWN_KEY(Access.MANAGEMENT),
  DELETE_OWN_KEY(Access.MANAGEMENT),

  CREDITS(Access.MANAGEMENT),

  CREATE_DESTINATION(Access.MANAGEMENT),
  LIST_DESTINATIONS(Access.MANAGEMENT),
  GET_DESTINATION(Access.MANAGEMENT),
  UPDATE_DESTINATION(Access.MANAGEMENT),
  DELETE_DESTINATION(Access.MANAGEMENT),

  PRESET_FROM_CHAT(Access.MANAGEMENT),
  PRESET_FROM_MESSAGES(Access.MANAGEMENT),
  PRESET_FROM_RESPONSES(Access.MANAGEMENT),
  LIST_PRESETS(Access.ANY),
  GET_PRESET(Access.ANY),
  LIST_PRESET_VERSIONS(Access.ANY),
  GET_PRESET_VERSION(Access.ANY),

  GET_GENERATION(Access.ANY),
  GET_GENERATION_CONTENT(Access.ANY),
  SEND_FEEDBACK(Access.MANAGEMENT),
  LIST_MODELS(Access.ANY),
  COUNT_MODELS(Access.ANY),
  LIST_USABLE_MODELS(Access.ANY),
  GET_MODEL(Access.ANY),
  LIST_MODEL_ENDPOINTS(Access.ANY),
  LIST_PROVIDERS(Access.ANY),
  LIST_ZDR_ENDPOINTS(Access.ANY),

  /** Named by the contract without being shown, for keys that act on the account. */
  OTHER_MANAGEMENT(Access.MANAGEMENT),

  /** The path exists, the method does not. */
  OTHER_METHOD(Access.ANY),
  /** There is no such path. */
  NOWHERE(Access.ANY);

  private final Access access;

  Operation(Access access) {
    this.access = access;
  }

  Access access() {
    return access;
  }
}
