/**
 * The plugin auto-router: chooses a model by the kind of task for requests to router/auto. Start
 * reading at {@link io.strowger.plugins.autorouter.AutoRouterProvider}.
 */
@NullMarked
package io.strowger.plugins.autorouter;

import org.jspecify.annotations.NullMarked;
