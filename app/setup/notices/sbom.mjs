// The bill of materials (CycloneDX 1.6, JSON) of the same components that the licences list.
import cyclonedx from '@cyclonedx/cyclonedx-library'

const { Enums, Models, Serialize, Spec, SPDX } = cyclonedx

/** An SPDX id where there is one, else an expression; a licence that SPDX does not know goes by its name. */
function licenceOf(license) {
  if (SPDX.isSupportedSpdxId(license)) return new Models.SpdxLicense(license)
  return /\s/.test(license) && !license.includes('LicenseRef')
    ? new Models.LicenseExpression(license)
    : new Models.NamedLicense(license.replace('LicenseRef-', ''))
}

function componentOf({ name, version, license, purl, within }) {
  const type = purl?.startsWith('pkg:generic/') && purl.includes('.svs') ? Enums.ComponentType.Data : Enums.ComponentType.Library
  const component = new Models.Component(type, name, { bomRef: purl, purl, ...(version ? { version } : {}) })
  if (license !== null) component.licenses.add(licenceOf(license))
  for (const place of within) component.properties.add(new Models.Property('morphoscope:within', place))
  return component
}

/** No serial number and no time: the same parts give the same file. */
export function billOfMaterials({ program, components }) {
  const bom = new Models.Bom()
  const main = new Models.Component(Enums.ComponentType.Application, program.name, {
    version: program.version,
    bomRef: `${program.name}@${program.version}`,
  })
  main.licenses.add(new Models.SpdxLicense(program.license))
  bom.metadata.component = main
  for (const each of components) {
    const component = componentOf(each)
    bom.components.add(component)
    main.dependencies.add(component.bomRef)
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return serializer.serialize(bom, { sortLists: true, space: 2 })
}
