package io.strowger.core.resource;

/** The workspace that always exists: resources that name no other belong to it. */
public final class DefaultWorkspace {
  /** A UUID, the same in every gateway. */
  public static final String ID = "00000000-0000-4000-8000-000000000001";

  private DefaultWorkspace() {}
}
