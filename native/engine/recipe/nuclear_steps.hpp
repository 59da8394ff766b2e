// What the recipes of stained nuclei share: a channel of stain or light, a threshold between the slide's level and the
// neighbourhood's, splitting by depth and darkness, and acceptance of objects by size and contrast.
#pragma once
#include "recipe_steps.hpp"
#include "reject.hpp"

namespace morpho::engine::stained_nuclei {

/// Depths and stain are added up in 1/64 px: a u16 then holds depths up to 1023 px.
inline constexpr i32 kDepthUnits = 64;
/// Weights of the threshold's parts are multiples of 1/128: the sum of 255 * 128 * weights below 2 fits a u16.
inline constexpr i32 kThresholdUnits = 128;

/// What stains the nuclei: hematoxylin beside eosin, hematoxylin and DAB, or what shines on black.
enum class Stained { h_e, h_dab, light };

/// Units of a channel at 16 bits that are one grey level of 255, in which parameters and the slide's level are told.
inline constexpr i32 kDeepUnits = 257;

struct Values {
  Stained stained;
  bool deep = false;        ///< of light: its samples are taken at 16 bits
  StainVectors stains{};    ///< but of light
  StainParams hematoxylin;  ///< of h_e
  std::string image;
  double strongest = 0;   ///< of h_dab an OD, of light a multiple of the slide's level
  double dab_weight = 0;  ///< of h_dab
  Rejections rejections;  ///< of h_e
  double gap_radius = 0;  ///< of h_e
  double smoothing, envelope_smoothing;
  double level, local_weight, local_radius, contrast_weight, contrast_radius, contrast_position;
  double open_radius, hole_area, min_component;
  double split_smoothing, split_depth, split_stain, whole_ellipticity, whole_area, separate_radius;
  double min_area, max_area, min_contrast, typical_area;

  Values(const Params& p, Stained by);
  PixelType grey() const { return deep ? PixelType::u16 : PixelType::u8; }     ///< of the channel
  PixelType limits() const { return deep ? PixelType::i32 : PixelType::u16; }  ///< of what is kThresholdUnits times as much
  i32 units() const { return deep ? kDeepUnits : 1; }                          ///< of the channel in a grey level
};

/// What an object's stains are measured with.
StainSet set_of(const Values& v);
/// What the threshold looks at around a pixel, plus the extent of an object: about the longest axis of the largest object
/// wanted if it is twice as long as wide (area = π/8 length²), so that a core pixel's object is inside the window whole; of
/// IHC three of them, as its crowds are.
i32 halo(const Values& v);
/// The program of an overview, whose result is the slide's level.
void overview(Stages& s, const Values& v);
/// The slide's level as the overview tells it, in units of the channel; levels below are so too.
i32 level_of(const Values& v, double told);
/// The slide's level of the channel, which of light is spread by the level itself.
i32 level_after(const Values& v, i32 slide_level);
/// The fine channel, which the threshold is compared with, and the coarse one, which envelopes and splitting are taken from.
/// `slide_level` is the overview's, 0 while that is taken.
void channels(Stages& s, const Values& v, i32 slide_level, Field fine, Field coarse);
/// Keeps a plane of the channel's units to look at.
void show(Stages& s, const Values& v, const char* name, Field f);
/// Flat dilation (erosion) by a square, then its mean over the same square: a smooth upper (lower) envelope.
void envelope(Stages& s, Field f, Field out, Morphology kind, i32 radius);

/// Of the threshold's parts, in 1/128.
struct Weights {
  i32 local, high, bottom, slide;
  explicit Weights(const Values& v);
};
/// `level`: a weighted mean of three levels: the slide's; the mean of the neighbourhood; a position between the
/// neighbourhood's envelopes. `weighted`: what is compared with it. Both are of Values::limits, in 1/128 of the channel's
/// units. part and first are scratch, of Values::grey.
struct Limit {
  Field part, first, weighted, level;
};
void nuclear_limit(Stages& s, const Values& v, i32 slide_level, Field fine, Field coarse, Field low, const Limit& to);
/// The mask of what exceeds the limit, cleaned.
void cut_at(Stages& s, const Values& v, i32 slide_level, const Limit& limit, Field mask);

/// What a grey level of stain counts for in the landscape: a pixel as dark as the slide's level, as `split.stain` of depth.
/// Depth is counted up to what a u16 holds beside the most stain (1020 px by default), so that stain still shows where it ends.
struct StainShare {
  i32 shift;
  i32 per_level;  ///< in 1 / 2^shift units
  i32 most;       ///< of 255 levels
  PixelType type;

  StainShare(const Values& v, i32 slide_level);
  /// The landscape turned over, so that what is highest floods first, is this outside the mask.
  i32 ground() const { return type == PixelType::u16 ? 65534 : 0; }
  /// A mask's pixel times this is more than any landscape. Of u16 no more than 32 bits hold, for vectors.
  i32 all() const { return type == PixelType::u16 ? 65535 : 2147483647; }
};

/// Smoothed depth inside the mask plus a share of the stain; below the type's last value, which a flood keeps for itself.
void landscape(Stages& s, const Values& v, const StainShare& share, Field mask, Field coarse, Field out);
/// How far a maximum must stand out to be a marker.
i32 split_height(const Values& v);
/// Markers: the maxima of the landscape that stand out by `split.depth`; a component that is one ellipse of a nucleus's size
/// already is a marker as a whole, so that texture cannot split it.
void split_markers(Stages& s, const Values& v, Field mask, Field landscape, Field markers);
/// The watershed's lines part the objects, so that one opening rounds each of them by itself. Returns how many there are.
Register separated(Stages& s, const Values& v, Field labels);
/// Keeps objects of the wanted area that stand out enough from the lower envelope around them; numbers them in raster order.
void accept(Stages& s, const Values& v, i32 slide_level, Register count, Field fine, Field low, Field labels);

}  // namespace morpho::engine::stained_nuclei
