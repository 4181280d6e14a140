package io.strowger.core.http;

import io.strowger.core.authentication.KeyRequirement;

/** An operation of the API and the key it needs. Contract: "Endpoints"; resources fact sheet, 1. */
enum Operation {
  HEALTH(KeyRequirement.ANY),

  CHAT(KeyRequirement.INFERENCE),
  MESSAGES(KeyRequirement.INFERENCE),
  COUNT_TOKENS(KeyRequirement.INFERENCE),
  RESPONSES(KeyRequirement.INFERENCE),
  EMBEDDINGS(KeyRequirement.INFERENCE),
  SPEECH(KeyRequirement.INFERENCE),
  RERANK(KeyRequirement.INFERENCE),
  IMAGES(KeyRequirement.INFERENCE),
  TRANSCRIPTIONS(KeyRequirement.INFERENCE),

  CREATE_BATCH(KeyRequirement.INFERENCE),
  LIST_BATCHES(KeyRequirement.INFERENCE),
  GET_BATCH(KeyRequirement.INFERENCE),
  DELETE_BATCH(KeyRequirement.INFERENCE),

  CREATE_KEY(KeyRequirement.MANAGEMENT),
  LIST_KEYS(KeyRequirement.MANAGEMENT),
  GET_KEY(KeyRequirement.MANAGEMENT),
  UPDATE_KEY(KeyRequirement.MANAGEMENT),
  DELETE_KEY(KeyRequirement.MANAGEMENT),
  ROTATE_KEY(KeyRequirement.MANAGEMENT),
  CURRENT_KEY(KeyRequirement.ANY),

  CREATE_BYOK_KEY(KeyRequirement.MANAGEMENT),
  LIST_BYOK_KEYS(KeyRequirement.MANAGEMENT),
  GET_BYOK_KEY(KeyRequirement.MANAGEMENT),
  UPDATE_BYOK_KEY(KeyRequirement.MANAGEMENT),
  DELETE_BYOK_KEY(KeyRequirement.MANAGEMENT),

  LIST_AUDIT_LOG(KeyRequirement.MANAGEMENT),
  CREDITS(KeyRequirement.MANAGEMENT),
  LIST_MEMBERS(KeyRequirement.MANAGEMENT),

  CREATE_GUARDRAIL(KeyRequirement.MANAGEMENT),
  LIST_GUARDRAILS(KeyRequirement.MANAGEMENT),
  GET_GUARDRAIL(KeyRequirement.MANAGEMENT),
  UPDATE_GUARDRAIL(KeyRequirement.MANAGEMENT),
  DELETE_GUARDRAIL(KeyRequirement.MANAGEMENT),

  LIST_KEY_ASSIGNMENTS(KeyRequirement.MANAGEMENT),
  ASSIGN_KEYS(KeyRequirement.MANAGEMENT),
  UNASSIGN_KEYS(KeyRequirement.MANAGEMENT),
  LIST_MEMBER_ASSIGNMENTS(KeyRequirement.MANAGEMENT),
  ASSIGN_MEMBERS(KeyRequirement.MANAGEMENT),
  UNASSIGN_MEMBERS(KeyRequirement.MANAGEMENT),

  CREATE_WORKSPACE(KeyRequirement.MANAGEMENT),
  LIST_WORKSPACES(KeyRequirement.MANAGEMENT),
  GET_WORKSPACE(KeyRequirement.MANAGEMENT),
  UPDATE_WORKSPACE(KeyRequirement.MANAGEMENT),
  DELETE_WORKSPACE(KeyRequirement.MANAGEMENT),
  LIST_BUDGETS(KeyRequirement.MANAGEMENT),
  SET_BUDGET(KeyRequirement.MANAGEMENT),
  DELETE_BUDGET(KeyRequirement.MANAGEMENT),

  CREATE_DESTINATION(KeyRequirement.MANAGEMENT),
  LIST_DESTINATIONS(KeyRequirement.MANAGEMENT),
  GET_DESTINATION(KeyRequirement.MANAGEMENT),
  UPDATE_DESTINATION(KeyRequirement.MANAGEMENT),
  DELETE_DESTINATION(KeyRequirement.MANAGEMENT),
  TEST_DESTINATION(KeyRequirement.MANAGEMENT),

  PRESET_FROM_CHAT(KeyRequirement.MANAGEMENT),
  PRESET_FROM_MESSAGES(KeyRequirement.MANAGEMENT),
  PRESET_FROM_RESPONSES(KeyRequirement.MANAGEMENT),
  LIST_PRESETS(KeyRequirement.ANY),
  GET_PRESET(KeyRequirement.ANY),
  LIST_PRESET_VERSIONS(KeyRequirement.ANY),
  GET_PRESET_VERSION(KeyRequirement.ANY),

  GET_GENERATION(KeyRequirement.ANY),
  GET_GENERATION_CONTENT(KeyRequirement.ANY),
  SEND_FEEDBACK(KeyRequirement.MANAGEMENT),
  LIST_MODELS(KeyRequirement.ANY),
  COUNT_MODELS(KeyRequirement.ANY),
  LIST_USABLE_MODELS(KeyRequirement.ANY),
  GET_MODEL(KeyRequirement.ANY),
  LIST_MODEL_ENDPOINTS(KeyRequirement.ANY),
  LIST_PROVIDERS(KeyRequirement.ANY),
  LIST_ZDR_ENDPOINTS(KeyRequirement.ANY),

  /** Asks which methods a path has. */
  OPTIONS(KeyRequirement.ANY),
  /** The path exists, the method does not. */
  OTHER_METHOD(KeyRequirement.ANY),
  /** There is no such path. */
  UNKNOWN_PATH(KeyRequirement.ANY);

  private final KeyRequirement keyRequirement;

  Operation(KeyRequirement keyRequirement) {
    this.keyRequirement = keyRequirement;
  }

  KeyRequirement keyRequirement() {
    return keyRequirement;
  }
}
