package io.strowger.core.resource;

/** The workspace that is always there: what names no other belongs to it. */
public final class DefaultWorkspace {
  /** A UUID, the same in every gateway. */
  public static final String ID = "00000000-0000-4000-8000-000000000001";

  private DefaultWorkspace() {}
}
