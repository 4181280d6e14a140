/**
 * The plugin auto-router, which chooses a model by the kind of task for requests to router/auto,
 * and its beta, auto-beta-router. Start reading at {@link
 * io.strowger.plugins.autorouter.AutoRouterProvider}.
 */
@NullMarked
package io.strowger.plugins.autorouter;

import org.jspecify.annotations.NullMarked;
