package io.strowger.core.resource;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a workspace. Resources fact sheet, section 4.
 *
 * @param name 1 to 100 characters
 * @param slug no other workspace has it
 * @param description null for none
 * @param textModel used by requests that name no model; null for the account's
 * @param imageModel the same for images; null for none
 * @param providerSort how endpoints are sorted when a request does not say; null as the account
 *     says
 * @param logging what was said is kept
 * @param broadcast destinations are told
 */
public record WorkspaceFields(
    String name,
    String slug,
    @Nullable String description,
    @Nullable String textModel,
    @Nullable String imageModel,
    @Nullable String providerSort,
    boolean logging,
    boolean broadcast) {
  public WorkspaceFields {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(slug, "slug");
  }

  /** What is to change of it; name, slug and switches are never cleared. */
  public record Change(
      Patch<String> name,
      Patch<String> slug,
      Patch<String> description,
      Patch<String> textModel,
      Patch<String> imageModel,
      Patch<String> providerSort,
      Patch<Boolean> logging,
      Patch<Boolean> broadcast) {
    public WorkspaceFields over(WorkspaceFields now) {
      return new WorkspaceFields(
          Objects.requireNonNullElse(name.applyTo(now.name()), now.name()),
          Objects.requireNonNullElse(slug.applyTo(now.slug()), now.slug()),
          description.applyTo(now.description()),
          textModel.applyTo(now.textModel()),
          imageModel.applyTo(now.imageModel()),
          providerSort.applyTo(now.providerSort()),
          Objects.requireNonNullElse(logging.applyTo(now.logging()), now.logging()),
          Objects.requireNonNullElse(broadcast.applyTo(now.broadcast()), now.broadcast()));
    }
  }
}
